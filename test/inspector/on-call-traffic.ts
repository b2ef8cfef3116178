/** Makes the calls that the stories are about, by real faults of the sandbox, after an hour of made-up ones. */
import type { RequestRecord } from '../../src/journal/journal.ts'
import type { TestGateway } from '../support/gateway.ts'

const REPO = { owner: 'octo-org', name: 'hello-world' }
const MINUTE = 60_000
/** GitHub's own requests have none, so this trace has one request. */
export const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'

/** Ids of requests, and of those that answers came from. */
export interface Incidents {
  /** It has a skipped route, and a retry on the next route. */
  readonly slow: string
  readonly lost: string
  readonly old: { readonly id: string; readonly source: string }
  /** Its trace id is `TRACE_ID`. */
  readonly repeated: { readonly id: string; readonly source: string }
}

export async function makeIncidents(gateway: TestGateway): Promise<Incidents> {
  await makeHistory(gateway)
  await makeUsualCalls(gateway, 12)
  // A write of unknown outcome keeps reads out of memory for a while, so the reads from memory come first.
  const old = await readFromMemory(gateway)
  const repeated = await repeatWrite(gateway)
  await gateway.call('repo.view', { owner: 'octo-org' })
  const lost = await loseWrite(gateway)
  const slow = await callSlowly(gateway)
  await breakOneEndpoint(gateway)
  await useUpQuotas(gateway)
  return { old, repeated, lost, slow }
}

async function readFromMemory(gateway: TestGateway): Promise<Incidents['old']> {
  const query = { max_age_ms: '600000' }
  const input = { ...REPO, issueNumber: 2 }
  const source = await idOf(gateway.call('issue.view', input, { query }))
  return { source, id: await idOf(gateway.call('issue.view', input, { query })) }
}

async function repeatWrite(gateway: TestGateway): Promise<Incidents['repeated']> {
  const input = { ...REPO, title: 'The semaphore at platform 2 sticks' }
  const headers = { 'idempotency-key': 'semaphore-2' }
  const traced = { ...headers, traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` }
  const source = await idOf(gateway.call('issue.create', input, { headers }))
  return { source, id: await idOf(gateway.call('issue.create', input, { headers: traced })) }
}

/** The answer is lost, and no check can be made. */
async function loseWrite(gateway: TestGateway): Promise<string> {
  const down = { do: { status: 503 }, times: 50 }
  gateway.sandbox.faults.set([
    { on: { route: 'rest', method: 'POST' }, do: { reset: 'after' }, times: 1 },
    { on: { route: 'rest' }, ...down },
    { on: { route: 'graphql' }, ...down },
  ])
  const input = { ...REPO, title: 'Replace the lamp of signal 4' }
  const lost = await idOf(gateway.call('issue.create', input, { query: { route: 'rest' } }))
  gateway.sandbox.faults.clear()
  await reset(gateway)
  return lost
}

async function callSlowly(gateway: TestGateway): Promise<string> {
  await setQuota(gateway, 'core', 0)
  await gateway.call('pr.list', { ...REPO, first: 9 })
  gateway.sandbox.faults.set([{ on: { route: 'graphql' }, do: { status: 502 }, times: 1 }])
  const slow = await idOf(gateway.call('issue.list', { ...REPO, first: 7 }))
  gateway.sandbox.faults.clear()
  await setQuota(gateway, 'core', 4000)
  await reset(gateway)
  return slow
}

/** The calls between them keep the circuit of the route closed. */
async function breakOneEndpoint(gateway: TestGateway): Promise<void> {
  gateway.sandbox.faults.set([
    { on: { route: 'rest', path: '/issues/1$' }, do: { status: 503 }, times: 1000 },
  ])
  for (let call = 0; call < 6; call++) {
    await gateway.call('issue.view', { ...REPO, issueNumber: 1 })
    await gateway.call('repo.view', REPO)
  }
  gateway.sandbox.faults.clear()
  await reset(gateway)
}

async function useUpQuotas(gateway: TestGateway): Promise<void> {
  await setQuota(gateway, 'core', 0)
  await setQuota(gateway, 'graphql', 0)
  for (let first = 3; first < 6; first++) await gateway.call('pr.list', { ...REPO, first })
}

async function idOf(call: ReturnType<TestGateway['call']>): Promise<string> {
  return (await call).body.meta.request_id
}

/** Has the gateway forget quotas and circuits, as the button of an operator does. */
async function reset({ url }: TestGateway): Promise<void> {
  const response = await fetch(`${url}/v1/upstreams/github/reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  if (!response.ok) throw new Error(`the gateway refused the reset: ${await response.text()}`)
}

async function makeUsualCalls(gateway: TestGateway, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await gateway.call('repo.view', REPO)
    if (round % 2 === 0) await gateway.call('issue.list', { ...REPO, first: 5 })
    if (round % 3 === 0)
      await gateway.call('pr.list', { ...REPO, first: 5 }, { query: { route: 'graphql' } })
  }
}

/** Writes an hour of made-up calls to the journal, with many failures in one quarter of it. */
async function makeHistory({ engine }: TestGateway): Promise<void> {
  const now = Date.now()
  for (let minute = 58; minute > 1; minute--) {
    const bad = minute > 20 && minute < 34
    const calls = 6 + Math.round(4 * Math.sin(minute / 7)) + (minute % 5)
    for (let call = 0; call < calls; call++) {
      const failing = bad && call % 3 === 0
      const capability = call % 4 === 0 ? 'issue.list' : 'repo.view'
      const at = now - minute * MINUTE + call * 1100
      await engine.journal.append(recordOf({ capability, at, failing, weight: bad ? 3 : 1 }))
    }
  }
}

interface PastCall {
  readonly capability: string
  readonly at: number
  readonly failing: boolean
  readonly weight: number
}

function recordOf({ capability, at, failing, weight }: PastCall): RequestRecord {
  const took = Math.round((18 + (at % 23) + (at % 7) ** 2) * weight)
  const answered = { route: 'rest', status: 'success', duration_ms: took, started_ms: 0 } as const
  const fellBack = [
    {
      ...answered,
      status: 'error',
      error_code: 'SERVER',
      upstream_status: 503,
      next: 'next_route',
    },
    { ...answered, route: 'graphql', started_ms: took },
  ] as const
  return {
    request_id: `history-${at}`,
    time: at,
    caller: at % 3 === 0 ? 'triage-agent' : 'release-agent',
    capability_id: capability,
    upstream: 'github',
    effect: 'read',
    http_status: 200,
    plan: null,
    envelope: {
      ok: true,
      data: null,
      error: null,
      meta: {
        capability_id: capability,
        request_id: `history-${at}`,
        route_used: failing ? 'graphql' : 'rest',
        reason: failing ? 'CARD_FALLBACK' : 'CARD_PREFERRED',
        attempts: failing ? fellBack : [answered],
        duration_ms: failing ? took * 2 : took,
        warnings: [],
      },
    },
  }
}

async function setQuota(
  { sandbox }: TestGateway,
  resource: string,
  remaining: number,
): Promise<void> {
  const response = await fetch(`${sandbox.url}/_sandbox/quota`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: 'sandbox-token', resource, remaining, reset_in_s: 600 }),
  })
  if (!response.ok) throw new Error(`the sandbox refused the request: ${await response.text()}`)
}
