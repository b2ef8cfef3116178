import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asCurl, copyOf } from '../../inspector/web/model/copied-call.js'
import type { RequestDetail } from '../../src/journal/row-schemas.ts'
import { type CallOptions, startTestGateway, type TestGateway } from '../support/gateway.ts'

const run = promisify(execFile)
const SECRET = 'agent-secret-0123456789'
const KEY = { authorization: `Bearer ${SECRET}` }
const REPO = { owner: 'octo-org', name: 'hello-world' }
const CREDENTIAL = 'Bearer sandbox-token'

let gateway: TestGateway
beforeAll(async () => {
  const keys = [{ name: 'agent', secret: SECRET }]
  gateway = await startTestGateway({ settings: { keys, journal_payloads: 'redacted' } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

const recordOf = async (id: string): Promise<RequestDetail> =>
  (await gateway.get(`/v1/requests/${id}`, KEY)).body.data

/** Runs the copied command, and returns the record of what it made the gateway do. */
async function runCopied(record: RequestDetail): Promise<RequestDetail> {
  const command = asCurl({ ...copyOf(record), origin: gateway.url, hasKey: true })
  const env = {
    PATH: process.env.PATH,
    SIGNALBOX_KEY: SECRET,
    IDEMPOTENCY_KEY: 'the-same-key',
    NEW_KEY: 'a-new-key',
    UPSTREAM_CREDENTIAL: CREDENTIAL,
  }
  const { stdout } = await run('sh', ['-c', `${command} -o /dev/null -D -`], { env })
  return await recordOf(/^x-request-id: (\S+)/im.exec(stdout)?.[1] ?? '')
}

/** The facts that make a call the same. Its key is new, if the call had none and changes something. */
function sameIn({ capability_id, effect, input, options, idempotency_key_hash }: RequestDetail) {
  return { capability_id, input, options, key: effect === 'read' ? idempotency_key_hash : null }
}

const LIST = { ...REPO, first: 2 }
const CASES: readonly (readonly [string, string, object, CallOptions])[] = [
  ['nothing', 'repo.view', REPO, {}],
  ['a text that nobody sees', 'search.issues', { query: 'a\u202eb\u200b is:open' }, {}],
  ['route', 'repo.view', REPO, { query: { route: 'graphql' } }],
  ['timeout_ms', 'repo.view', REPO, { query: { timeout_ms: '7777' } }],
  ['max_age_ms', 'issue.list', LIST, { query: { max_age_ms: '60000' } }],
  ['max_age_ms, from memory', 'issue.list', LIST, { query: { max_age_ms: '60000' } }],
  [
    'stale_if_error_ms',
    'issue.list',
    LIST,
    { query: { max_age_ms: '0', stale_if_error_ms: '90000' } },
  ],
  ['Cache-Control', 'issue.list', LIST, { headers: { 'cache-control': 'max-age=30, no-store' } }],
  [
    'an unlimited max-stale',
    'issue.list',
    LIST,
    { headers: { 'cache-control': 'max-age=60, max-stale' } },
  ],
  [
    'an unlimited max-stale among others',
    'issue.list',
    LIST,
    { headers: { 'cache-control': 'max-stale, min-fresh=10, max-age=60, only-if-cached' } },
  ],
  ['only-if-cached', 'issue.list', LIST, { headers: { 'cache-control': 'only-if-cached' } }],
  ['fields', 'issue.list', LIST, { query: { fields: 'items.number,items.title' } }],
  ['token_budget', 'issue.list', LIST, { query: { token_budget: '900' } }],
  ['tokenBudget', 'issue.list', LIST, { query: { tokenBudget: '800' } }],
  ['profile', 'repo.view', REPO, { query: { profile: 'brief' } }],
  [
    'a profile in Accept',
    'repo.view',
    REPO,
    { headers: { accept: 'application/json; profile="brief"' } },
  ],
  [
    "a credential of the caller's own",
    'repo.view',
    REPO,
    { headers: { 'x-upstream-authorization': CREDENTIAL } },
  ],
  [
    'an Idempotency-Key',
    'issue.create',
    { ...REPO, title: 'Once' },
    { headers: { 'idempotency-key': 'the-same-key' } },
  ],
  ['a change without a key', 'issue.create', { ...REPO, title: 'Twice' }, {}],
  [
    'all at once',
    'issue.list',
    LIST,
    {
      query: {
        route: 'rest',
        timeout_ms: '8888',
        max_age_ms: '1000',
        stale_if_error_ms: '2000',
        fields: 'items.number',
        token_budget: '700',
        profile: 'default',
      },
    },
  ],
]

test.each(CASES)('the copied command is the same call: %s', async (what, id, input, options) => {
  const headers = { ...KEY, ...options.headers }
  const { body, headers: answered } = await gateway.call(id, input, { ...options, headers })
  const first = await recordOf(body.meta?.request_id ?? answered.get('x-request-id') ?? '')
  const second = await runCopied(first)
  expect(second.request_id).not.toBe(first.request_id)
  expect(sameIn(second)).toEqual(sameIn(first))
  // The same key gives the stored answer; a new one makes the change again.
  if (what === 'an Idempotency-Key')
    expect(second.answer_from).toMatchObject({ how: 'replay', request_id: first.request_id })
  if (what === 'a change without a key')
    expect(second).toMatchObject({ ok: true, answer_from: null })
})

test('the record has each option of a call', async () => {
  const found = new Set<string>()
  for (const [, id, input, options] of CASES) {
    const headers = { ...KEY, ...options.headers }
    const { headers: answered } = await gateway.call(id, input, { ...options, headers })
    const record = await recordOf(answered.get('x-request-id') ?? '')
    for (const name of Object.keys(record.options ?? {})) found.add(name)
  }
  expect([...found].toSorted()).toEqual([
    'fields',
    'max_age_ms',
    'max_stale',
    'no_store',
    'only_if_cached',
    'own_credential',
    'profile',
    'route',
    'stale_if_error_ms',
    'timeout_ms',
    'token_budget',
  ])
})
