import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { RequestListQuery } from '../../routes/support/journal-list.ts'
import { CODES } from '../../src/model/errors.ts'
import { REASONS } from '../../src/model/reasons.ts'
import { prometheus } from '../support/parts.ts'

interface Rule {
  readonly alert?: string
  readonly expr: string
  readonly labels?: { readonly severity: string }
  readonly annotations?: { readonly runbook: string; readonly inspector?: string }
}

const FOLDER = new URL('../../docker/observability/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, FOLDER), 'utf8')

const rules: readonly Rule[] = parse(read('alert-rules.yaml')).groups[0].rules
const alerts = rules.filter(({ alert }) => alert !== undefined)
const page = read('../../docs/oncall.md')
const unitTests = read('tests/alert-rules.test.yaml')

test.each(alerts)(
  '$alert has a section on the page for people on call',
  ({ alert, annotations }) => {
    expect(page).toContain(`\n## ${alert}\n`)
    expect(annotations?.runbook).toBe(`docs/oncall.md#${String(alert).toLowerCase()}`)
  },
)

test.each(alerts)('$alert is a page or a ticket', ({ labels }) => {
  expect(['page', 'ticket']).toContain(labels?.severity)
})

test.each(alerts)('$alert is seen to fire and to clear in a unit test', ({ alert }) => {
  const cases = [
    ...unitTests.matchAll(new RegExp(`alertname: ${alert}\n +exp_alerts:( \\[\\])?`, 'g')),
  ]
  const ends = cases.map(([, none]) => (none === undefined ? 'fires' : 'clears'))
  expect(new Set(ends)).toEqual(new Set(['fires', 'clears']))
})

test.each(rules)('$alert$record names codes and reasons that exist', ({ expr }) => {
  const named = [...expr.matchAll(/(?:code|reason)!?=~"([^"]+)"/g)].flatMap(([, all = '']) =>
    all.split('|'),
  )
  const known: readonly string[] = [...Object.keys(CODES), ...REASONS]
  expect(named.filter(name => !known.includes(name))).toEqual([])
})

const PAGES = ['/inspector', '/inspector/approvals']

test.each(alerts.filter(({ annotations }) => annotations?.inspector))(
  '$alert leads to a page of the inspector, with filters that the list has',
  ({ annotations }) => {
    const { pathname, searchParams } = new URL(annotations?.inspector ?? '', 'http://gateway')
    const isOfOne = /^\/inspector\/(capabilities|upstreams)\/[^/]+$/.test(pathname)
    expect(isOfOne || PAGES.includes(pathname)).toBe(true)
    expect(
      [...searchParams.keys()].filter(name => !Object.hasOwn(RequestListQuery.properties, name)),
    ).toEqual([])
  },
)

describe.skipIf(!prometheus.available)('promtool', () => {
  test.each([
    ['check', 'rules', 'alert-rules.yaml'],
    ['test', 'rules', 'tests/alert-rules.test.yaml'],
    ['check', 'config', '--syntax-only', 'prometheus.yaml'],
  ])('agrees to %s %s', (...args) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      cwd: FOLDER,
      encoding: 'utf8',
    })
    expect({ status, failed: /FAILED/.test(stdout), stderr }).toMatchObject({
      status: 0,
      failed: false,
    })
  })
})
