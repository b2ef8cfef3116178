import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ByteBudget } from '../../src/lib/byte-budget.ts'
import { startTestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'
import { startService } from '../support/service.ts'
import { FILES, openPlace } from './support/big-answers.ts'

test('a read waits for room, and fails at its deadline if there is none', async () => {
  await using gateway = await openPlace(100_000)
  const other = gateway.engine.answers.open({ mayFail: true, mayWait: true })
  other.take(90_000)
  const waiting = gateway.call('thing.read.rest', { at: 1 })
  await delay(100)
  other.release()
  expect((await waiting).body.ok).toBe(true)
  const again = gateway.engine.answers.open({ mayFail: true, mayWait: true })
  again.take(90_000)
  const query = { timeout_ms: '300' }
  const late = await gateway.call('thing.read.rest', { at: 2 }, { query })
  expect(late.body.error).toMatchObject({ code: 'TOO_LARGE' })
  again.release()
  await expect.poll(() => gateway.engine.answers.held).toBe(0)
})

test('a batch gets as many answers as fit, and TOO_LARGE for the others', async () => {
  await using gateway = await openPlace(200_000)
  const calls = Array.from({ length: 9 }, (_, at) => ({
    capability: 'thing.read.rest',
    input: { at },
  }))
  const response = await fetch(`${gateway.url}/v1/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ calls }),
  })
  const { data } = (await response.json()) as {
    data: { succeeded: number; results: { envelope: { error: { code: string } | null } }[] }
  }
  expect(data.succeeded).toBe(3)
  const codes = data.results.flatMap(({ envelope }) => envelope.error?.code ?? [])
  expect(codes).toEqual(Array(6).fill('TOO_LARGE'))
  await expect.poll(() => gateway.engine.answers.held).toBe(0)
})

test('a change is never refused, and a shared answer counts until all have it', () => {
  const budget = new ByteBudget(10)
  const change = budget.open({ mayFail: false, mayWait: true })
  expect(change.take(20)).toBe(true)
  change.share()
  change.release()
  expect(budget.held).toBe(20)
  change.release()
  expect(budget.held).toBe(0)
})

test('a body that trickles is cut off with 408', async () => {
  await using gateway = await startTestGateway({ settings: { body_timeout_ms: 300 } })
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    'POST /v1/capabilities/issue.view HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{',
  )
  const trickle = setInterval(() => socket.write(' '), 50)
  const answer = await text(socket)
  clearInterval(trickle)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toContain('"code":"TIMEOUT"')
})

/** The journal's rows of one request, as they are kept. */
async function journalBytes(gateway: Awaited<ReturnType<typeof startTestGateway>>) {
  const list = (await gateway.get('/v1/requests')).body as never as {
    data: { items: { request_id: string }[] }
  }
  const id = list.data.items[0]?.request_id ?? ''
  const response = await fetch(`${gateway.url}/v1/requests/${id}`)
  return (await response.text()).length
}

const LONG = 'hostile '.repeat(100_000)
const ERRORS: Readonly<Record<string, unknown>> = {
  'one long message': { message: LONG },
  'many messages': { errors: Array.from({ length: 5000 }, () => LONG.slice(0, 200)) },
  'a long code': { error: LONG.replaceAll(' ', '_') },
  'many fields': {
    message: 'no',
    errors: Array.from({ length: 5000 }, (_, at) => ({
      field: `${at} ${LONG.slice(0, 900)}`,
      message: LONG.slice(0, 900),
    })),
  },
}

test.each(Object.keys(ERRORS))(
  'an error body with %s makes a small answer and record',
  async name => {
    const service = await startService((_request, response) => {
      response.statusCode = 500
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(ERRORS[name]))
    })
    const capabilities = [await writePack(FILES(service.url))]
    await using gateway = await startTestGateway({ settings: { capabilities, retries: 10 } })
    const { body } = await gateway.call('thing.read.rest', {}, { query: { timeout_ms: '4000' } })
    expect(body.ok).toBe(false)
    expect(JSON.stringify(body).length).toBeLessThan(16_000)
    expect(await journalBytes(gateway)).toBeLessThan(16_000)
  },
  20_000,
)

test('80 kB of unknown members make a small answer and record', async () => {
  await using gateway = await startTestGateway()
  const hostile = {
    many: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`m${at}`, 1])),
    long: { [LONG.slice(0, 80_000)]: 1 },
    few: Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`${at} ${LONG.slice(0, 4000)}`, 1]),
    ),
  }
  for (const input of Object.values(hostile)) {
    const { body } = await gateway.call('issue.view', input)
    expect(body.error).toMatchObject({ code: 'VALIDATION' })
    expect(JSON.stringify(body).length).toBeLessThan(8000)
    expect(await journalBytes(gateway)).toBeLessThan(12_000)
  }
})
