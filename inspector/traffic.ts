/** Makes calls for the screenshots: answered, retried, fallen back, skipped and failed ones. */
import type { RequestRecord } from '../src/journal/journal.ts'
import type { TestGateway } from '../test/support/gateway.ts'

const REPO = { owner: 'octo-org', name: 'hello-world' }
const MINUTE = 60_000

/** @returns the id of the request to show: it has a skipped route, and a retry on the next route. */
export async function makeTraffic(gateway: TestGateway): Promise<{ showcase: string }> {
  await makeHistory(gateway)
  await makeUsualCalls(gateway, 12)
  await gateway.call('issue.view', { ...REPO, issueNumber: 9999 })
  await gateway.call('repo.view', { owner: 'octo-org' })
  await setFaults(gateway, [
    { on: { route: 'rest', method: 'POST' }, do: { reset: 'after' }, times: 1 },
  ])
  await gateway.call('issue.create', { ...REPO, title: 'The semaphore at platform 2 sticks' })
  await setFaults(gateway, [{ on: { route: 'rest' }, do: { status: 503 }, times: 2 }])
  await gateway.call('issue.list', { ...REPO, first: 3 })
  await gateway.call('repo.view', REPO)
  await setFaults(gateway, [])
  await makeUsualCalls(gateway, 3)
  const showcase = await callShowcase(gateway)
  await makeUsualCalls(gateway, 2)
  return { showcase }
}

async function callShowcase(gateway: TestGateway): Promise<string> {
  await setQuota(gateway, 'core', 0)
  await gateway.call('pr.list', { ...REPO, first: 9 })
  await setFaults(gateway, [{ on: { route: 'graphql' }, do: { status: 502 }, times: 1 }])
  const input = { ...REPO, first: 7 }
  const { body } = await gateway.call('issue.list', input, { query: { timeout_ms: '900' } })
  await setFaults(gateway, [])
  return body.meta.request_id
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

async function setFaults(gateway: TestGateway, faults: readonly object[]): Promise<void> {
  await control(gateway, 'faults', faults)
}

async function setQuota(gateway: TestGateway, resource: string, remaining: number): Promise<void> {
  await control(gateway, 'quota', { token: 'sandbox-token', resource, remaining, reset_in_s: 600 })
}

async function control({ sandbox }: TestGateway, path: string, body: object): Promise<void> {
  const response = await fetch(`${sandbox.url}/_sandbox/${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`the sandbox refused the request: ${await response.text()}`)
}
