/**
 * Runs a gateway with a heap of 450 MB against answers of 15 MB (a batch of 50, then 10 calls at once), and against 100
 * bodies of 8 MB at once. Fails if the gateway dies, or answers with anything but successes, TOO_LARGE and, for
 * bodies, VALIDATION and SERVER 503.
 */
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Envelope } from '../src/model/envelope.ts'
import { freePort } from '../test/support/free-port.ts'
import { scratchDirectory } from './support/on-interrupt.ts'
import { Processes } from './support/processes.ts'
import { readOptions } from './support/read-options.ts'

readOptions({
  command: 'npm run memory',
  about: 'Calls a gateway with a small heap for large answers, and sends it large bodies.',
  options: {},
})

const BYTES = 15_000_000
const SIGNALBOX = fileURLToPath(new URL('../src/signalbox.ts', import.meta.url))

const items = JSON.stringify(
  Array.from({ length: 150_000 }, (_, id) => ({
    id,
    title: `issue ${id}`,
    author: { login: 'me' },
  })),
)
const answer = `{"items":${items},"text":"${'x'.repeat(BYTES - items.length)}"}`
const service = createServer((_, response) => response.end(answer)).listen(0, '127.0.0.1')
const serviceUrl = () => `http://127.0.0.1:${(service.address() as AddressInfo).port}`
await new Promise(resolve => service.once('listening', resolve))

const pack = await scratchDirectory('memory')
const processes = new Processes(false)
await writeFile(join(pack, 'upstream.yaml'), `id: big\nrest: { base_url: "${serviceUrl()}" }\n`)
await writeFile(
  join(pack, 'big.read.yaml'),
  `id: big.read
version: 1.0.0
description: Read a large thing.
effect: read
input: { type: object, properties: { at: { type: integer } } }
output: { type: object, properties: { value: {} } }
prefer: [rest]
routes:
  rest: { method: GET, path: /big, result: "{value: body}" }
`,
)

const port = await freePort()
const url = `http://127.0.0.1:${port}`
const args = ['--max-old-space-size=450', SIGNALBOX, 'serve', '--port', String(port)]
const gateway = processes.start([process.execPath, ...args, '--capabilities', pack], {
  half: 'servers',
  env: { PATH: process.env.PATH, SIGNALBOX_JOURNAL: ':memory:', SIGNALBOX_LOG_LEVEL: 'error' },
  stdio: 'inherit',
})

/** @throws when the gateway is dead. */
async function post(path: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return await response.json()
}

async function untilReady(): Promise<void> {
  for (;;) {
    const ready = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** JSON that takes many times its bytes once it is parsed. */
const HOSTILE = Buffer.from(`{"at":[${'[],'.repeat(2_600_000)}[]]}`)

/** Like `post`, without a copy of the body for each caller. */
async function postHostile(path: string): Promise<Envelope> {
  const headers = { 'content-type': 'application/json', 'content-length': HOSTILE.length }
  const sent = request(url + path, { method: 'POST', headers }).end(HOSTILE)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return (await json(response)) as Envelope
}

function report(what: string, envelopes: readonly Envelope[], more: readonly string[] = []): void {
  const codes = envelopes.map(({ error }) => error?.code ?? 'ok')
  const counts = Object.entries(Object.groupBy(codes, code => code))
  console.log(what, counts.map(([code, all]) => `${code}: ${all?.length ?? 0}`).join(', '))
  const allowed = ['ok', 'TOO_LARGE', ...more]
  if (codes.some(code => !allowed.includes(code))) process.exitCode = 1
}

try {
  await untilReady()
  const calls = Array.from({ length: 50 }, (_, at) => ({ capability: 'big.read', input: { at } }))
  const batch = (await post('/v1/batch?timeout_ms=120000', { calls })) as {
    data: { results: { envelope: Envelope }[] }
  }
  report(
    'a batch of 50:',
    batch.data.results.map(({ envelope }) => envelope),
  )
  const single = (_: unknown, at: number) =>
    post('/v1/capabilities/big.read?timeout_ms=120000', { at })
  report('10 calls at once:', (await Promise.all(Array.from({ length: 10 }, single))) as Envelope[])
  const bodies = Array.from({ length: 100 }, () => postHostile('/v1/capabilities/big.read'))
  report('100 bodies at once:', await Promise.all(bodies), ['SERVER', 'VALIDATION'])
} finally {
  gateway.kill()
  service.closeAllConnections()
  service.close()
  await rm(pack, { recursive: true })
}
