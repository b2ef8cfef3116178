import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { type ActualOutcome, COMPARED_BY_TEST, type FailureCase, type Observed } from './case.ts'
import { RUNNERS } from './runners.ts'

interface Service {
  readonly service: string
  readonly cases: readonly Case[]
}

interface Case {
  readonly on: readonly ('rest' | 'graphql' | 'cli')[]
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
  readonly expect: string
}

const FILE = new URL('../cases/unseen-services.yaml', import.meta.url)
const SERVICES = load(readFileSync(FILE, 'utf8')) as readonly Service[]

describe.each(SERVICES)('$service', ({ cases }) => {
  const rows = cases.flatMap(one =>
    one.on.map(route => [route, JSON.stringify(one.body), one] as const),
  )

  test.each(rows)('%s: %s', async (route, _, one) => {
    const [outcome] = (await RUNNERS[route]?.(caseOf(route, one))) ?? []
    expect(outcome && inShort(outcome, one.expect.includes('wait='))).toBe(one.expect)
  })
})

/** A change, on a route of an upstream that has no rules. */
function caseOf(route: Case['on'][number], one: Case): FailureCase {
  const observed = route === 'cli' ? printed(one) : answered(one)
  return {
    id: one.expect,
    kind: 'unseen',
    route,
    upstream: 'unseen',
    observed,
    expect: COMPARED_BY_TEST,
  }
}

function answered({ status, headers, body }: Case): Observed {
  return {
    operation: 'write',
    method: 'POST',
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body,
    now_epoch: 1_700_000_000,
  }
}

/** A program that makes one request prints the body. It exits with 0 after a status of success, else with 1. */
function printed({ status, body }: Case): Observed {
  return {
    operation: 'write',
    argv: ['unseenctl', 'api', 'things'],
    exit_code: status < 300 ? 0 : 1,
    stdout: JSON.stringify(body),
    stderr: '',
  }
}

function inShort(
  { ok, code, retryable, writeOutcome, retryAfterS }: ActualOutcome,
  withWait: boolean,
): string {
  if (ok) return 'ok'
  const parts = [
    code,
    retryable && 'retry',
    writeOutcome !== 'not_applied' && writeOutcome,
    withWait && `wait=${retryAfterS}`,
  ]
  return parts.filter(Boolean).join(' ')
}
