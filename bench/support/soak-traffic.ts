import type { Fault } from '../../sandbox/faults.ts'

/** A request of the soak. */
export interface SoakCall {
  readonly path: string
  /** Without a body it is a GET. */
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  /** The caller leaves after this time. */
  readonly leaveAfterMs?: number
}

const repo = { owner: 'octo-org', name: 'hello-world' }
const call = (id: string, input: object, query = ''): SoakCall => ({
  path: `/v1/capabilities/${id}${query}`,
  body: { ...repo, ...input },
})

/** Each kind of call, by the number of the request. */
const KINDS: readonly ((n: number) => SoakCall)[] = [
  () => call('repo.view', {}),
  () => call('repo.view', {}, '?route=graphql'),
  () => call('issue.list', { first: 20 }, '?token_budget=800&profile=budgeted'),
  n => call('issue.view', { issueNumber: 1 + (n % 12) }, '?profile=compact'),
  n => call('issue.view', { issueNumber: 5000 + n }),
  n => call('issue.create', { title: `Soak ${n}` }),
  n => ({
    ...call('issue.create', { title: `Once ${n}` }),
    headers: { 'idempotency-key': `soak-${n % 500}-${Math.floor(n / 5000)}` },
  }),
  n => call('issue.comments.create', { issueNumber: 1, body: `Comment ${n}` }),
  n => ({
    path: '/v1/batch',
    body: {
      calls: [
        { id: 'list', capability: 'pr.list', input: { ...repo, first: 3 } },
        { capability: 'repo.view', input: repo },
        { capability: 'issue.view', input: { ...repo, issueNumber: 1 + (n % 5) } },
        {
          capability: 'pr.view',
          for_each: { $from: 'list', path: 'data.items' },
          input: { ...repo, prNumber: { $item: 'number' } },
        },
      ],
    },
  }),
  () => ({
    path: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'call', arguments: { capability: 'repo.view', input: repo } },
    },
  }),
  n => ({
    ...call('repo.labels.list', { first: 5 }),
    headers: { 'cache-control': `max-stale=${n % 3}` },
  }),
  () => ({ ...call('pr.list', { first: 30 }), leaveAfterMs: 3 }),
  n => (n % 7 === 0 ? call('repo.view', {}, '?route=cli') : call('release.list', { first: 3 })),
  () => ({ path: '/v1/requests?limit=20' }),
  () => ({ path: '/v1/stats' }),
  () => ({ path: '/v1/requests/stream', leaveAfterMs: 200 }),
  () => ({ path: '/v1/nowhere' }),
  () => ({ path: '/v1/capabilities/repo.view', body: { owner: 5 } }),
]

export function nextCall(n: number): SoakCall {
  const kind = KINDS[n % KINDS.length]
  if (kind === undefined) throw new Error('no kinds')
  return kind(n)
}

/** Each kind of trouble, for some of the requests of the next minute. */
export const SOAK_FAULTS: readonly Fault[] = [
  { on: { route: 'rest' }, do: { status: 503 }, times: 30 },
  { on: { route: 'rest' }, do: { reset: 'before' }, times: 20 },
  { on: { route: 'rest' }, do: { reset: 'after' }, times: 20 },
  { on: { route: 'rest' }, do: { reset: 'midbody' }, times: 20 },
  { on: { route: 'graphql' }, do: { truncate: 20 }, times: 20 },
  { on: { route: 'graphql' }, do: { status: 502, body: '<html>' }, times: 20 },
  { do: { delay_ms: 2000 }, times: 20 },
  { do: { hang: true }, times: 5 },
  { do: { rate_limit: 'secondary' }, times: 2 },
]
