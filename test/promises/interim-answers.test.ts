import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'

const head = (status: number) => `HTTP/1.1 ${status} Interim\r\nlink: </style.css>\r\n\r\n`

const INTERIM: Readonly<Record<string, string>> = {
  'a 100': head(100),
  'a 100 without a reason': 'HTTP/1.1 100\r\n\r\n',
  'a 102': head(102),
  'a 103': head(103),
  'many of all kinds': [103, 100, 102, 100, 100, 103].map(head).join(''),
}

/** How the bytes arrive: the parts that are written one after the other. */
const PARTS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  'in one piece': text => [text],
  'before the answer': text => text.split(/(?=HTTP\/1\.1 200)/),
  'byte by byte': text => Array.from(text),
}

/** Serves without a library, so that it can send what no library would. */
async function startRawServer(interim: string, split: (text: string) => readonly string[]) {
  const requests: string[] = []
  const serve = async (socket: Socket) => {
    let text = ''
    socket.on('error', () => {})
    for await (const chunk of socket.setNoDelay()) {
      text += chunk
      if (!isWhole(text)) continue
      requests.push(text.slice(0, text.indexOf(' HTTP/')))
      text = ''
      const body = '{"data":{"value":"HTTP/1.1 100 is a text"},"value":"HTTP/1.1 100 is a text"}'
      const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      for (const part of split(interim + answer)) {
        await new Promise(resolve => socket.write(part, resolve))
        // The gateway runs in this process: let it read each part by itself.
        await nextTurn()
      }
    }
  }
  const server = createServer(socket => void serve(socket).catch(() => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, requests }
}

function isWhole(text: string): boolean {
  const [start = '', body] = text.split('\r\n\r\n')
  const [, length = '0'] = /content-length: (\d+)/i.exec(start) ?? []
  return body !== undefined && body.length >= Number(length)
}

const card = (id: string, effect: string, route: string, section: string) => `
id: ${id}
version: 1.0.0
description: Do a thing.
effect: ${effect}
input: { type: object, properties: { at: { type: integer } } }
output: { type: object, properties: { value: { type: string } }, required: [value] }
prefer: [${route}]
routes: { ${route}: ${section} }
`

const pack = (upstream: string) => ({
  'upstream.yaml': `id: thing\n${upstream}`,
  'thing.read.yaml': card(
    'thing.read',
    'read',
    'rest',
    '{ method: GET, path: /thing, result: "{value: body.value}" }',
  ),
  'thing.make.yaml': card(
    'thing.make',
    'write',
    'rest',
    '{ method: POST, path: /thing, body: "{at: input.at}", result: "{value: body.value}" }',
  ),
  'thing.ask.yaml': card(
    'thing.ask',
    'read',
    'graphql',
    '{ document: "query Read { value }", result: "{value: body.value}" }',
  ),
})

const UPSTREAMS: Readonly<Record<string, (url: string) => string>> = {
  directly: url => `rest: { base_url: "${url}" }\ngraphql: { url: "${url}/graphql" }\n`,
  'through a proxy': proxy => {
    const to = 'http://service.invalid'
    return `rest: { base_url: "${to}", proxy: "${proxy}" }\ngraphql: { url: "${to}/graphql", proxy: "${proxy}" }\n`
  },
}

describe.each(Object.keys(UPSTREAMS))('%s', way => {
  describe.each(Object.keys(PARTS))('interim answers that arrive %s', arrival => {
    test.each(Object.keys(INTERIM))('are skipped: %s', async kind => {
      const { url, requests } = await startRawServer(INTERIM[kind] ?? '', PARTS[arrival]!)
      const capabilities = [await writePack(pack(UPSTREAMS[way]!(url)))]
      await using gateway = await startTestGateway({ settings: { capabilities, retries: 0 } })
      // Twice, because the second request uses the same connection.
      for (const at of [1, 2]) {
        for (const id of ['thing.read', 'thing.make', 'thing.ask']) {
          const { body } = await gateway.call(id, { at })
          expect(body).toMatchObject({ ok: true, data: { value: 'HTTP/1.1 100 is a text' } })
        }
      }
      expect(requests).toHaveLength(6)
    })
  })
})
