import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { body_timeout_ms: 300, idle_timeout_ms: 300 } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

const POST =
  'POST /v1/batch HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 99\r\n'

/** Sends the bytes, and gives all that comes until the gateway closes the connection. */
async function sendAndWait(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  await once(socket, 'connect')
  if (bytes !== '') socket.write(bytes)
  return await text(socket)
}

test.each([
  ['that sends nothing', ''],
  ['whose headers do not end', 'GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n'],
  ['whose body does not end', `${POST}\r\n{"calls":`],
])('a connection %s is closed', async (_what, bytes) => {
  const answer = await sendAndWait(bytes)
  expect(answer === '' || answer.startsWith('HTTP/1.1 408')).toBe(true)
  if (bytes.startsWith('POST')) expect(answer).toContain('"code":"')
})

test('a connection that waits for its next request is closed after the answer to the last', async () => {
  const answer = await sendAndWait('GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  expect(answer).toContain('HTTP/1.1 200 OK')
  expect(answer).toMatch(/^connection: keep-alive\r$/im)
})
