import type { ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRestAdapter } from '../../../adapters/rest/index.ts'
import type { CallContext } from '../../../src/model/adapter.ts'
import { callContext, connect, testCompiler } from '../../contract/adapter.ts'
import { tokenCredential } from '../../support/credentials.ts'
import { type Received, type Service, sendJson, startService } from '../../support/service.ts'

const credential = tokenCredential('secret-token-0123456789')
const TYPE = { 'content-type': 'application/json' }

type Look = (response: ServerResponse, looks: number, request: Received) => unknown

interface Job {
  /** Headers of the 202. */
  readonly headers?: (url: string) => object
  readonly accept?: (response: ServerResponse) => unknown
  readonly look?: Look
}

/** Starts a service that accepts a job at `/jobs`, and shows it at other paths. */
async function start({ headers = () => ({ location: '/jobs/7' }), accept, look }: Job) {
  let looks = 0
  const service: Service = await startService((request, response) => {
    if (request.method !== 'POST') return void look?.(response, ++looks, request)
    if (accept) return void accept(response)
    response.writeHead(202, { ...TYPE, ...headers(service.url) }).end('{"id":7,"state":"queued"}')
  })
  const connection = connect(createRestAdapter(), {
    base_url: service.url,
    headers: { authorization: 'Bearer ${credential}' },
  })
  onTestFinished(() => connection.close())
  const run = (poll: object, context: Partial<CallContext> = {}, card: object = {}) => {
    const section = {
      method: 'POST',
      path: '/jobs',
      body: { a: 1 },
      poll: { interval_ms: 10, ...poll },
      ...card,
    }
    const given = { ...callContext('write'), credential, ...context }
    return connection.compile(section, testCompiler()).call({ input: {} }, given)
  }
  return { run, service }
}

const state = (response: ServerResponse, name: string, status = 200, headers = {}) =>
  response.writeHead(status, { ...TYPE, ...headers }).end(`{"id":7,"state":"${name}"}`)

describe('a job', () => {
  test('is looked at until its status is no longer 202, with the headers of the call', async () => {
    const { run, service } = await start({
      look: (response, looks) =>
        state(response, looks < 3 ? 'running' : 'done', looks < 3 ? 202 : 200),
    })
    const reply = await run({}, {}, { headers: { 'x-tenant': "'t1'" } })
    expect(reply).toMatchObject({
      ok: true,
      body: { id: 7, state: 'done' },
      exchange: { upstreamRequests: 4 },
    })
    expect(service.lines()).toEqual(['POST /jobs', ...Array(3).fill('GET /jobs/7')])
    const { headers, body } = service.received[1] as Received
    expect(headers).toMatchObject({ authorization: `Bearer ${credential.token}`, 'x-tenant': 't1' })
    expect(headers['content-type']).toBeUndefined()
    expect(body).toHaveLength(0)
  })

  test('is done when its body says so, and its result may be elsewhere', async () => {
    const { run, service } = await start({
      headers: url => ({ 'operation-location': `${url}/status` }),
      look: (response, looks, { url }) =>
        url === '/status'
          ? state(response, looks < 2 ? 'running' : 'done')
          : sendJson(response, { rows: 9 }),
    })
    const reply = await run({ pending: "body.state != 'done'", result_url: "'/results/1?x=1'" })
    expect(reply).toMatchObject({ ok: true, body: { rows: 9 } })
    expect(service.lines().slice(1)).toEqual(['GET /status', 'GET /status', 'GET /results/1?x=1'])
  })

  test('that is done at once needs no look', async () => {
    const { run, service } = await start({ accept: response => state(response, 'done') })
    expect(await run({})).toMatchObject({ ok: true, body: { state: 'done' } })
    expect(service.lines()).toEqual(['POST /jobs'])
  })

  test('may redirect to its result', async () => {
    const { run } = await start({
      look: (response, _, { url }) =>
        url === '/jobs/7'
          ? response.writeHead(303, { location: '/done' }).end()
          : sendJson(response, { rows: 9 }),
    })
    expect(await run({})).toMatchObject({ ok: true, body: { rows: 9 } })
  })

  test('gives a result of another format', async () => {
    const { run } = await start({
      look: (response, looks) =>
        looks < 2 ? state(response, 'running', 202) : response.end(Buffer.from([0, 255])),
    })
    expect(await run({}, {}, { parse: 'binary' })).toMatchObject({ body: { base64: 'AP8=' } })
  })

  test('survives a status that cannot be read for a moment', async () => {
    const { run } = await start({
      look: (response, looks) => state(response, 'done', [503, 429, 202, 200][looks - 1] ?? 200),
    })
    expect(await run({})).toMatchObject({ ok: true })
  })

  test('that failed is a failure whose change is unknown', async () => {
    const { run } = await start({ look: response => state(response, 'broken') })
    const failed = "body.state == 'broken' && 'the disk is full'"
    expect(await run({ failed })).toMatchObject({
      ok: false,
      failure: {
        code: 'SERVER',
        message: 'The job failed: the disk is full',
        retryable: false,
        fallback: false,
        writeOutcome: 'unknown',
      },
    })
  })

  test.each([
    [
      'is gone',
      (response: ServerResponse) => sendJson(response, { message: 'gone' }, 404),
      'NOT_FOUND',
    ],
    ['breaks', (response: ServerResponse) => response.destroy(), 'NETWORK'],
    ['is no JSON', (response: ServerResponse) => response.end('<'), 'OUTPUT_INVALID'],
  ])('whose status %s leaves the change unknown, and is not sent again', async (_, look, code) => {
    const { run, service } = await start({ look })
    expect(await run({})).toMatchObject({
      failure: {
        code,
        fallback: false,
        writeOutcome: expect.stringMatching(/^(unknown|applied)$/),
      },
    })
    expect(service.lines().filter(line => line.startsWith('POST'))).toHaveLength(1)
  })

  test('on whose answer an expression fails leaves the change unknown', async () => {
    const { run } = await start({ look: response => state(response, 'done') })
    expect(await run({ pending: 'length(body.id) > `3`' })).toMatchObject({
      failure: { code: 'OUTPUT_INVALID', writeOutcome: 'unknown' },
    })
  })
})

describe('a job that goes on', () => {
  const running: Look = response => state(response, 'running', 202, { 'retry-after': '60' })
  const CONTINUE = { continue: { capability: 'job.view', input: '{id: body.id}' } }

  test('is NOT_READY with the way to go on, without waiting in vain', async () => {
    const { run, service } = await start({ look: running })
    const began = performance.now()
    expect(await run(CONTINUE, { timeoutMs: 5_000 })).toMatchObject({
      ok: false,
      failure: {
        code: 'NOT_READY',
        writeOutcome: 'unknown',
        fallback: false,
        retryAfterMs: 60_000,
        retryAfterSource: 'header',
        details: { status_url: `${service.url}/jobs/7` },
        continueWith: { capability: 'job.view', input: { id: 7 } },
      },
      exchange: { upstreamRequests: 2 },
    })
    expect(performance.now() - began).toBeLessThan(4_000)
  })

  test('is NOT_READY when the time ends while the gateway waits or looks', async () => {
    const { run } = await start({ look: () => {} })
    const signal = AbortSignal.timeout(100)
    expect(await run(CONTINUE, { signal })).toMatchObject({
      failure: { code: 'NOT_READY', continueWith: { input: { id: 7 } } },
    })
  })

  test('is NOT_READY if the service does not say where it is', async () => {
    const { run, service } = await start({ headers: () => ({}) })
    expect(await run(CONTINUE)).toMatchObject({
      failure: { code: 'NOT_READY', retryAfterMs: 10, retryAfterSource: 'default' },
    })
    expect(service.lines()).toEqual(['POST /jobs'])
  })

  test('of a read is asked for at the same place', async () => {
    const { run, service } = await start({
      look: (response, looks) => state(response, 'x', looks < 3 ? 202 : 200),
    })
    const read = { method: 'GET', path: '/stats', body: undefined }
    expect(await run({}, { effect: 'read' }, read)).toMatchObject({ ok: true })
    expect(service.lines()).toEqual(Array(3).fill('GET /stats'))
  })
})

describe('a status at another origin', () => {
  const other = (look: Look) => start({ look })

  test('is not asked', async () => {
    const place = await other(response => state(response, 'done'))
    const { run } = await start({ headers: () => ({ location: `${place.service.url}/7` }) })
    expect(await run({})).toMatchObject({ failure: { code: 'NOT_READY', writeOutcome: 'unknown' } })
    expect(place.service.received).toEqual([])
  })

  test('gets no credential and no other header, if the card allows it', async () => {
    const place = await other(response => state(response, 'done'))
    const { run } = await start({ headers: () => ({ location: `${place.service.url}/7?sig=1` }) })
    const card = { redirects: 'anywhere', headers: { 'x-tenant': "'t1'" } }
    expect(await run({}, {}, card)).toMatchObject({ ok: true, body: { state: 'done' } })
    const [seen] = place.service.received
    expect(seen?.url).toBe('/7?sig=1')
    expect(Object.keys(seen?.headers ?? {}).sort()).toEqual(['connection', 'host', 'user-agent'])
  })
})

test('accepting a 202 and waiting for it is a fault of the card', async () => {
  const { run } = await start({})
  await expect(async () => run({}, {}, { accept: [202] })).rejects.toThrow(/has 202.*Remove 202/)
})
