import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createClient, paginate, retrying, SignalboxError, unwrap } from '../../client/client.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { webhookIn } from '../support/webhook.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
beforeEach(() => gateway.sandbox.reset())
afterAll(() => gateway[Symbol.asyncDispose]())

const connect = (options = {}) => createClient({ url: gateway.url, ...options })
const applied = () => gateway.sandbox.log.rows().filter(row => row.applied).length

/** A fetch that sends the request, and loses the answer of the first ones. */
function losing(count: number) {
  const keys: (string | null)[] = []
  const lossy: typeof fetch = async (url, init) => {
    const response = await fetch(url, init)
    keys.push(new Headers(init?.headers).get('idempotency-key'))
    if (keys.length > count) return response
    await response.text()
    throw new TypeError('connection reset')
  }
  return { fetch: lossy, keys }
}

describe('a call', () => {
  test('returns its envelope, for a success and for a failure', async () => {
    const client = connect()
    const found = await client.call('repo.view', repo)
    expect(found).toMatchObject({ ok: true, data: { name: 'hello-world' }, error: null })
    const missing = await client.call('repo.view', { ...repo, name: 'nowhere' })
    expect(missing).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
  })

  test('unwraps to its data, or throws its error', async () => {
    const client = connect()
    expect((await unwrap(client.call('repo.view', repo))).defaultBranch).toBe('main')
    const failing = unwrap(client.call('repo.view', { ...repo, name: 'nowhere' }))
    await expect(failing).rejects.toThrow(SignalboxError)
    await expect(failing).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  const circle: { self?: unknown } = {}
  circle.self = circle
  test.each([
    ['a key of another script', { key: 'ключ' }, {}, {}, 'key'],
    ['a key of two lines', { key: 'one\ntwo-of-the-secret' }, {}, {}, 'key'],
    ['another credential', { upstreamAuthorization: 'a\0b' }, {}, {}, 'upstreamAuthorization'],
    ['an Idempotency-Key', {}, { idempotencyKey: 'ключ' }, {}, 'idempotencyKey'],
    ['a password in its address', { url: 'http://a:two-of-the-secret@127.0.0.1' }, {}, {}, 'url'],
    ['an address of another scheme', { url: 'ftp://127.0.0.1' }, {}, {}, 'url'],
    ['no address', { url: 'two-of-the-secret' }, {}, {}, 'url'],
    ['a bigint', {}, {}, { body: 1n }, 'input'],
    ['a circle', {}, {}, { body: circle }, 'input'],
  ])('that cannot be sent with %s says so', async (_what, options, call, more, path) => {
    const input = { ...repo, title: 'Never', ...more } as never
    const plain = await connect(options).call('issue.create', input, call)
    const patient = await retrying(connect(options)).call('issue.create', input, call)
    for (const { error } of [plain, patient]) {
      expect(error).toMatchObject({
        code: 'VALIDATION',
        retryable: false,
        write_outcome: 'not_applied',
        next: { action: 'fix_input', fields: [path] },
      })
      expect(JSON.stringify(error)).not.toContain('two-of-the-secret')
    }
    expect(applied()).toBe(0)
  })

  test('takes an answer from memory if it may', async () => {
    const client = connect()
    const memory = { maxAgeMs: 60_000, staleIfErrorMs: 60_000 }
    await client.call('repo.view', repo, memory)
    const again = await client.call('repo.view', repo, memory)
    expect(again.meta).toMatchObject({ reason: 'CACHE_HIT', age_ms: expect.any(Number) })
    const batch = await client.batch(plan => ({ view: plan.call('repo.view', repo, memory) }))
    expect(batch.ok && batch.results.view.meta.reason).toBe('CACHE_HIT')
    const { meta } = await client.call('repo.view', repo)
    expect(meta).not.toHaveProperty('age_ms')
  })

  test('rejects when its signal aborts', async () => {
    gateway.sandbox.faults.set([{ on: {}, do: { hang: true }, times: 9 }])
    const signal = AbortSignal.timeout(100)
    await expect(connect().call('repo.view', repo, { signal })).rejects.toThrow(/timeout/i)
  })

  test('without an answer is a failure that may only be repeated with a key', async () => {
    const call = async (options: object) =>
      await connect({ fetch: losing(9).fetch }).call('repo.view', repo, options)
    const unsafe = { code: 'NETWORK', retryable: false, write_outcome: 'unknown' }
    expect(await call({})).toMatchObject({ ok: false, error: unsafe })
    expect(await call({ idempotencyKey: 'k' })).toMatchObject({ error: { retryable: true } })
  })

  test('answered by something else than a gateway is a failure', async () => {
    const page: typeof fetch = async () => new Response('<html>', { status: 502 })
    const result = await connect({ fetch: page }).call('repo.view', repo)
    expect(result).toMatchObject({ ok: false, error: { code: 'SERVER', retryable: false } })
  })
})

describe('retrying', () => {
  const issue = { ...repo, title: 'From the client' }

  test('makes a change once, with one key, when its answer is lost', async () => {
    const { fetch: lossy, keys } = losing(2)
    const client = retrying(connect({ fetch: lossy }))
    const made = await unwrap(client.call('issue.create', issue))
    expect(made.title).toBe(issue.title)
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(applied()).toBe(1)
  })

  test('gives each call a key of its own', async () => {
    const { fetch: kept, keys } = losing(0)
    const client = retrying(connect({ fetch: kept }))
    await client.call('issue.create', issue)
    await client.call('issue.create', issue)
    expect(new Set(keys).size).toBe(2)
    expect(applied()).toBe(2)
  })

  test('never repeats a change that may have happened', async () => {
    const hook = webhookIn(gateway.sandbox)
    gateway.sandbox.faults.set([{ on: { route: 'rest', method: 'POST' }, do: { reset: 'after' } }])
    const { fetch: kept, keys } = losing(0)
    const client = retrying(connect({ fetch: kept }))
    const result = await client.call('repo.webhook.ping', hook)
    expect(result).toMatchObject({ ok: false, error: { write_outcome: 'unknown' } })
    expect(keys).toHaveLength(1)
  })

  test('stops after its attempts, and waits no longer than it may', async () => {
    const { fetch: lossy, keys } = losing(9)
    const client = retrying(connect({ fetch: lossy }), { attempts: 2 })
    expect((await client.call('repo.view', repo)).ok).toBe(false)
    expect(keys).toHaveLength(2)
    await retrying(connect({ fetch: lossy }), { maxWaitMs: 10 }).call('repo.view', repo)
    expect(keys).toHaveLength(3)
  })
})

describe('a batch', () => {
  test.each([
    ['JSON.stringify', (value: object) => JSON.stringify(value)],
    ['a spread', (value: object) => ({ ...value })],
    ['an assignment', (value: object) => Object.assign(value, { title: 'Lost' })],
    ['the question for a member', (value: object) => 'title' in value],
    ['arithmetic', (value: object) => Number(value) + 1],
  ])('refuses %s of a value that is not known yet', async (_what, use) => {
    const build = connect().batch(plan => {
      const list = plan.call('issue.list', repo)
      const title = use(list.data.items) as string
      return { list, made: plan.call('issue.create', { ...repo, title }) }
    })
    await expect(build).rejects.toThrow('has no value until the batch runs')
    expect(applied()).toBe(0)
  })

  test('uses results of earlier calls', async () => {
    const outcome = await connect().batch(plan => {
      const list = plan.call('issue.list', { ...repo, first: 3 })
      const first = plan.call('issue.view', { ...repo, issueNumber: list.data.items[0]!.number })
      const all = plan.each('issue.view', list.data.items, item => ({
        ...repo,
        issueNumber: item.number,
      }))
      return { list, first, all }
    })
    if (!outcome.ok) throw new SignalboxError(outcome)
    const { list, first, all } = outcome.results
    const items = (await unwrap(list)).items
    expect(outcome.status).toBe('success')
    expect((await unwrap(first)).number).toBe(items[0]?.number)
    expect(await Promise.all(all.map(async one => (await unwrap(one)).number))).toEqual(
      items.map(({ number }) => number),
    )
  })

  test('does nothing after a failed need', async () => {
    const outcome = await connect().batch(plan => {
      const gone = plan.call('repo.view', { ...repo, name: 'nowhere' })
      const never = plan.call('issue.create', { ...repo, title: 'Never' }, { needs: [gone] })
      return { gone, never }
    })
    expect(outcome).toMatchObject({
      ok: true,
      status: 'failed',
      results: { never: { ok: false, error: { code: 'CONFLICT' } } },
    })
    expect(applied()).toBe(0)
  })

  test('that is refused is a failure', async () => {
    const outcome = await connect().batch(() => ({}))
    expect(outcome).toMatchObject({ ok: false, error: { code: 'VALIDATION' } })
  })
})

test('paginate yields the items of all pages', async () => {
  const client = connect()
  const numbers: number[] = []
  for await (const issue of paginate(client, 'issue.list', { ...repo, first: 2, state: 'all' })) {
    numbers.push(issue.number)
    if (numbers.length === 5) break
  }
  const whole = await unwrap(client.call('issue.list', { ...repo, first: 5, state: 'all' }))
  expect(numbers).toEqual(whole.items.map(({ number }) => number))
})

test('runs in a worker', async () => {
  const code = `
    import { parentPort } from 'node:worker_threads'
    import { createClient, unwrap } from ${JSON.stringify(new URL('../../client/client.ts', import.meta.url).href)}
    const client = createClient({ url: ${JSON.stringify(gateway.url)} })
    parentPort.postMessage(await unwrap(client.call('repo.view', ${JSON.stringify(repo)})))`
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`))
  const data = await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await worker.terminate()
  expect(data).toMatchObject({ name: 'hello-world' })
})
