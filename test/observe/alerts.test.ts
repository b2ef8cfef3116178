import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { AttemptListQuery, RequestListQuery } from '../../routes/support/journal-list.ts'
import { CODES } from '../../src/model/errors.ts'
import { REASONS } from '../../src/model/reasons.ts'
import { FAILED, type RecordOptions, recordOf } from '../journal/records.ts'
import { startTestGateway } from '../support/gateway.ts'
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

/** The pages that an alert may lead to, other than those of a capability or an upstream, and the filters of each. */
const PAGES: Readonly<Record<string, object>> = {
  '/inspector': RequestListQuery.properties,
  '/inspector/attempts': AttemptListQuery.properties,
  '/inspector/approvals': {},
}

/** The labels of the calls below. */
const LABELS: Readonly<Record<string, string>> = { capability: 'repo.view', upstream: 'github' }
const linkOf = ({ annotations: { inspector = '' } = { runbook: '' } }: Rule) =>
  new URL(
    inspector.replace(/{{ \$labels\.(\w+) }}/g, (_, label: string) => LABELS[label] ?? label),
    'http://gateway',
  )

test.each(alerts.filter(({ annotations }) => annotations?.inspector))(
  '$alert leads to a page of the inspector, with filters that the list has',
  rule => {
    const { pathname, searchParams } = linkOf(rule)
    const isOfOne = /^\/inspector\/(capabilities|upstreams)\/[^/]+$/.test(pathname)
    expect(isOfOne || Object.hasOwn(PAGES, pathname)).toBe(true)
    const filters = PAGES[pathname] ?? {}
    expect([...searchParams.keys()].filter(name => !Object.hasOwn(filters, name))).toEqual([])
  },
)

const REFUSED = { attempts: [], http_status: 503, error: { code: 'SERVER' } } as const
const NO_KEY = { attempts: [], http_status: 401, error: { code: 'AUTH' } } as const
const failed = (code: 'SERVER' | 'AUTH') => ({
  attempts: [{ ...FAILED, error_code: code }],
  error: { code },
})
/** Alerts that lead to a list, each with a call that it is about, and calls that it is not about. */
const BEHIND: Readonly<Record<string, readonly [RecordOptions, ...RecordOptions[]]>> = {
  WritesUnknown: [
    { ...failed('SERVER'), effect: 'write', error: { code: 'SERVER', write_outcome: 'unknown' } },
    failed('SERVER'),
  ],
  GatewayRefuses: [REFUSED, failed('SERVER')],
  CredentialEnded: [failed('AUTH'), NO_KEY],
}

describe('the list that an alert leads to', () => {
  const lists = alerts.filter(
    rule =>
      ['/inspector', '/inspector/attempts'].includes(linkOf(rule).pathname) &&
      rule.annotations?.inspector,
  )

  test('is known here', () => {
    expect(lists.map(({ alert }) => alert)).toEqual(Object.keys(BEHIND))
  })

  test.each(lists)('has the calls of $alert, and no others', async rule => {
    await using gateway = await startTestGateway()
    const [about = {}, ...others] = BEHIND[rule.alert ?? ''] ?? []
    const wanted = recordOf(about)
    for (const record of [wanted, ...others.map(recordOf)])
      await gateway.engine.journal.append(record)
    const { pathname, search } = linkOf(rule)
    const list = pathname.replace('/inspector', '/v1').replace(/^\/v1$/, '/v1/requests')
    const { body } = await gateway.get(`${list}${search}`)
    const ids = (body.data.items as { request_id: string }[]).map(one => one.request_id)
    expect(ids).toEqual([wanted.request_id])
  })
})

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
