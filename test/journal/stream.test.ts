import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openEventStream } from '../../routes/support/event-stream.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { authorize, KEYS } from './callers.ts'

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { keys: KEYS } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

test('a stream sends a request as soon as it is recorded', async () => {
  const stream = await watch('')

  const { body } = await call()

  expect((await stream.next()).data).toMatchObject({
    request_id: body.meta.request_id,
    capability_id: 'repo.view',
    ok: true,
    route_used: 'rest',
  })
})

test('a stream takes the filters of the list', async () => {
  const stream = await watch('?ok=false&code=NOT_FOUND')

  await call()
  await call({ ...REPOSITORY, name: 'nothing' })

  expect((await stream.next()).data).toMatchObject({ ok: false, code: 'NOT_FOUND' })
})

test('a stream asks the journal for filters whose facts a row lacks', async () => {
  const stream = await watch('?capability=repo.*&upstream_status=404&upstream=github')

  await call()
  await call({ ...REPOSITORY, name: 'nothing' }, { 'x-request-id': 'sought' })

  expect((await stream.next()).data.correlation_id).toBe('sought')
})

test('a reconnected stream sends the missed requests, then the new ones', async () => {
  const first = await watch('')
  await call()
  const { id } = await first.next()
  await first.end()

  await call(REPOSITORY, { 'x-request-id': 'missed' })
  const second = await watch('', { 'last-event-id': id })
  await call(REPOSITORY, { 'x-request-id': 'new' })

  expect((await second.next()).data.correlation_id).toBe('missed')
  expect((await second.next()).data.correlation_id).toBe('new')
})

test('a stream that broke off before its first event misses nothing', async () => {
  const first = await watch('')
  const { id } = first
  await first.end()
  await call(REPOSITORY, { 'x-request-id': 'missed' })

  const second = await watch('', { 'last-event-id': id })

  expect((await second.next()).data.correlation_id).toBe('missed')
})

test('a caller sees only its own requests, and an operator sees all', async () => {
  const own = await watch('', authorize('alice'))
  const foreign = await watch('?caller=bob', authorize('alice'))
  const all = await watch('', authorize('root'))

  await call(REPOSITORY, authorize('bob'))
  await call(REPOSITORY, authorize('alice'))

  expect((await own.next()).data.caller).toBe('alice')
  expect((await all.next()).data.caller).toBe('bob')
  // An event that must not come can only be waited for.
  await expect(foreign.next(100)).rejects.toThrow('nothing came')
})

test('an invalid position is refused, with the name of its header', async () => {
  const { status, body } = await gateway.get('/v1/requests/stream', {
    ...authorize('root'),
    'last-event-id': 'x',
  })

  expect(status).toBe(400)
  expect(body.error).toMatchObject({ code: 'VALIDATION', next: { fields: ['last-event-id'] } })
})

test('streams end when the gateway shuts down, and do not delay it', async () => {
  const other = await startTestGateway({ settings: { keys: KEYS } })
  const stream = await watch('', {}, other.url)

  const began = performance.now()
  await other[Symbol.asyncDispose]()

  expect(performance.now() - began).toBeLessThan(4000)
  await expect(stream.next()).rejects.toThrow('ended')
})

test('a stream to a client that does not read is closed', async () => {
  const server = createServer((_request, response) => {
    const stream = openEventStream(response, { headers: {}, startId: '0-0' })
    const talking = setInterval(() => stream.send({ event: 'x', data: 'x'.repeat(500_000) }), 1)
    stream.onClose(() => clearInterval(talking))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1')
  reader.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')

  const [connection] = (await once(server, 'connection')) as [Socket]
  await once(connection, 'close')
  expect(connection.bytesWritten).toBeLessThan(16 * 1024 * 1024)

  reader.destroy()
  server.close()
})

function call(input: object = REPOSITORY, headers: Record<string, string> = {}) {
  return gateway.call('repo.view', input, { headers: { ...authorize('root'), ...headers } })
}

interface StreamedEvent {
  readonly id: string
  readonly event: string
  readonly data: { readonly correlation_id: string | null; readonly caller: string }
}

/** Opens a stream, by default as an operator, and reads its first block. */
async function watch(query: string, headers: Record<string, string> = {}, base = gateway.url) {
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const url = `${base}/v1/requests/stream${query}`
  const all = { ...authorize('root'), ...headers }
  const response = await fetch(url, { headers: all, signal: controller.signal })
  expect(response.headers.get('content-type')).toMatch('text/event-stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const nextBlock = async (): Promise<string> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        return block
      }
      const { done, value } = (await reader?.read()) ?? { done: true, value: '' }
      if (done) throw new Error('the stream has ended')
      text += value
    }
  }
  const start = await nextBlock()
  return {
    /** The position at which the stream began. */
    id: fieldOf(start, 'id'),
    async next(timeoutMs = 15_000): Promise<StreamedEvent> {
      const timer = delay(timeoutMs, undefined, { ref: false }).then(() => {
        throw new Error('nothing came')
      })
      const block = await Promise.race([nextBlock(), timer])
      const [id, event, data] = ['id', 'event', 'data'].map(name => fieldOf(block, name))
      return { id, event, data: JSON.parse(data ?? 'null') } as StreamedEvent
    },
    end: async () => await reader?.cancel(),
  }
}

function fieldOf(block: string, name: string): string {
  const line = block.split('\n').find(one => one.startsWith(`${name}: `))
  return line?.slice(name.length + 2) ?? ''
}
