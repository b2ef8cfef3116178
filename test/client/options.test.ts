import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient, retrying } from '../../client/client.ts'
import { DIRECTIVES, HEADERS, OPTION_OF, PARAMETERS, WORDS } from '../../client/options.ts'
import { RunQuery } from '../../routes/capabilities.ts'
import { callParameters } from '../../routes/document/parameters.ts'
import { BatchCall } from '../../routes/support/batch-schema.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const sorted = (names: Iterable<string>) => [...new Set(names)].toSorted()
/** Another name of token_budget. */
const withoutAlias = (names: readonly string[]) => names.filter(name => name !== 'tokenBudget')
const OPTIONS = Object.keys({ ...PARAMETERS, ...WORDS, ...DIRECTIVES, ...HEADERS })

describe('the client has the options of the gateway and no others:', () => {
  test('parameters of a call', () => {
    const theirs = withoutAlias(Object.keys(RunQuery.properties))
    expect(sorted(Object.values(PARAMETERS))).toEqual(sorted(theirs))
  })

  test('members of a call of a batch', () => {
    const ours = [
      'id',
      'capability',
      'input',
      'for_each',
      'needs',
      ...Object.values(PARAMETERS),
      ...Object.values(WORDS).map(({ member }) => member),
    ]
    expect(sorted(ours)).toEqual(sorted(withoutAlias(Object.keys(BatchCall.properties))))
  })

  test('headers', () => {
    const references = callParameters({}, []).map(one => ('$ref' in one ? String(one.$ref) : ''))
    const documented = references.map(ref => ref.split('/').at(-1)?.toLowerCase() ?? '')
    // X-Correlation-Id takes precedence over X-Request-Id, and the document has no parameters for headers of other standards.
    const theirs = documented.map(name => (name === 'x-request-id' ? 'x-correlation-id' : name))
    const standard = ['authorization', 'accept-language', 'traceparent']
    expect(sorted([...Object.keys(OPTION_OF), 'cache-control'])).toEqual(
      sorted([...theirs, ...standard]),
    )
  })

  test('options in the docs', () => {
    const page = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8')
    const [, table = ''] = /\| option of a call \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(page) ?? []
    const names = table.split('\n').flatMap(row => row.split('|')[1]?.match(/\w+/g) ?? [])
    expect(sorted(names)).toEqual(sorted([...OPTIONS, 'signal']))
  })
})

describe('the gateway gets', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway[Symbol.asyncDispose]())

  /** A client that shows the headers of its last request. */
  function listening() {
    const sent: { headers: Headers } = { headers: new Headers() }
    const listen: typeof fetch = (url, init) => {
      sent.headers = new Headers(init?.headers)
      return fetch(url, init)
    }
    return { client: createClient({ url: gateway.url, fetch: listen }), sent }
  }

  const KEPT = [
    [{ route: 'rest' }, { route: 'rest' }],
    [{ timeoutMs: 9000 }, { timeout_ms: 9000 }],
    [{ maxAgeMs: 5000 }, { max_age_ms: 5000 }],
    [{ staleIfErrorMs: 6000 }, { max_age_ms: 0, stale_if_error_ms: 6000 }],
    [{ onlyIfCached: true }, { only_if_cached: true }],
    [
      { noStore: true, maxAgeMs: 1 },
      { no_store: true, max_age_ms: 1 },
    ],
    [{ maxStale: true }, { max_stale: true }],
    [{ tokenBudget: 900 }, { token_budget: 900 }],
  ] as const

  test.each(KEPT)('of a call %j', async (options, kept) => {
    const { client } = listening()
    const { meta } = await client.call('repo.view', repo, options)
    const { body } = await gateway.get(`/v1/requests/${meta.request_id}`)
    expect(body.data.options).toMatchObject(kept)
  })

  test('the headers of a call and of a batch', async () => {
    const { client, sent } = listening()
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const whole = { traceparent, language: 'de', noStore: true, onlyIfCached: true }
    const own = { approval: 'a1', reason: 'It is due.', correlationId: 'order-1' }
    await client.call('repo.view', repo, { ...whole, ...own, idempotencyKey: 'k' })
    const ofBatch = { traceparent, 'accept-language': 'de' }
    const cached = { 'cache-control': 'only-if-cached, no-store' }
    expect(Object.fromEntries(sent.headers)).toEqual({
      'content-type': 'application/json',
      ...ofBatch,
      ...cached,
      'signalbox-approval': 'a1',
      'signalbox-reason': 'It is due.',
      'x-correlation-id': 'order-1',
      'idempotency-key': 'k',
    })
    await client.batch(plan => ({ one: plan.call('repo.view', repo) }), whole)
    expect(Object.fromEntries(sent.headers)).toMatchObject({ ...ofBatch, ...cached })
  })

  test('fields, of which the data has no others; of a step, later ones still see them', async () => {
    const { client } = listening()
    const fields = 'items.number'
    const list = await client.call('issue.list', { ...repo, first: 1 }, { fields })
    expect(list.ok && list.data).toEqual({ items: [{ number: expect.any(Number) }] })
    const outcome = await client.batch(plan => {
      const view = plan.call('repo.view', repo, { fields: 'defaultBranch', correlationId: 'step' })
      const next = plan.call('repo.view', { owner: 'octo-org', name: view.data.name })
      return { view, next }
    })
    expect(outcome).toMatchObject({
      ok: true,
      results: {
        view: { data: { defaultBranch: 'main' }, meta: { correlation_id: 'step' } },
        next: { data: { name: 'hello-world' } },
      },
    })
    expect(outcome.ok && outcome.results.view.ok && outcome.results.view.data).not.toHaveProperty(
      'name',
    )
  })

  test.each(['brief', 'compact', 'codegraph', 'dotbot', 'problem'] as const)(
    'the dialect %s, also with retries, of a success and of a failure',
    async profile => {
      const { client } = listening()
      for (const input of [repo, { ...repo, name: 'nowhere' }]) {
        const path = `/v1/capabilities/repo.view?profile=${profile}`
        const body = JSON.stringify(input)
        const headers = { 'content-type': 'application/json' }
        const plain = await fetch(gateway.url + path, { method: 'POST', headers, body })
        const members = Object.keys((await plain.json()) as object)
        const answer = await retrying(client).call('repo.view', input, { profile })
        expect(Object.keys(answer as object)).toEqual(members)
      }
    },
  )

  test('a dialect, and an answer of something else is a failure', async () => {
    const proxy: typeof fetch = async () => Response.json({ status: 'down' }, { status: 502 })
    const client = createClient({ url: gateway.url, fetch: proxy })
    const answer = await client.call('repo.view', repo, { profile: 'compact' })
    expect(answer).toMatchObject({ ok: false, error: { code: 'SERVER' } })
  })
})
