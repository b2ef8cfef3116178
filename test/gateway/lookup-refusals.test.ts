import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadCapabilities } from '../../src/cards/load.ts'
import { createAdapters } from '../../src/gateway/adapters.ts'
import { startTestGateway } from '../support/gateway.ts'

const put = `
id: books.put
version: 1.0.0
description: Put a book back.
effect: write
input: { type: object, required: [book], properties: { book: { type: string } } }
output: { type: object, required: [done], properties: { done: { type: boolean } } }
prefer: [graphql, rest]
routes:
  graphql:
    lookup:
      book:
        document: "query Book { book }"
        conflict: "body.book == 'lent' ? 'Somebody has it.' : \`null\`"
        unsupported: "body.book == 'old' ? 'Old books go by hand.' : \`null\`"
    document: "mutation Put { put }"
    result: "{done: \`true\`}"
  rest: { method: POST, path: /put, result: "{done: \`true\`}" }
`

const view = `
id: books.view
version: 1.0.0
description: Look at a book.
effect: read
input: { type: object, required: [book], properties: { book: { type: string } } }
output: { type: object, required: [by], properties: { by: { type: string } } }
prefer: [graphql, rest]
routes:
  graphql:
    document: "query Book { book }"
    unsupported: "body.book == 'old' ? 'Old books are not listed here.' : \`null\`"
    result: "{by: 'graphql'}"
  rest: { method: GET, path: /view, result: "{by: 'rest'}" }
`

/** Has one book, of this kind. */
async function call(capability: string, book: string, route?: string) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => (text += chunk))
    request.on('end', () => {
      seen.push(text.includes('mutation') ? 'mutation' : `${request.method} ${request.url}`)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ data: { book } }))
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise(resolve => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await using gateway = await startTestGateway({
    settings: { capabilities: [await writePack({ put, view })] },
    env: { LIBRARY_URL: url },
  })
  const query = route === undefined ? {} : { query: { route } }
  const { body } = await gateway.call(capability, { book }, query)
  return { body, seen }
}

async function writePack(cards: Record<string, string>) {
  const directory = await mkdtemp(join(tmpdir(), 'sb-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const url = '${LIBRARY_URL:-http://127.0.0.1:1}'
  const upstream = `id: library\nrest: { base_url: "${url}" }\ngraphql: { url: "${url}/graphql" }\n`
  await writeFile(join(directory, 'upstream.yaml'), upstream)
  for (const [name, card] of Object.entries(cards)) {
    await writeFile(join(directory, `${name}.yaml`), card)
  }
  return directory
}

test('a lookup that finds a conflict ends the call, with nothing sent', async () => {
  const { body, seen } = await call('books.put', 'lent')
  expect(body.error).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('Somebody'),
  })
  expect(seen).toEqual(['POST /graphql'])
})

test('a lookup that shows a limit of the route leaves a write to the next one', async () => {
  const { body, seen } = await call('books.put', 'old')
  expect(body).toMatchObject({ data: { done: true }, meta: { route_used: 'rest' } })
  expect(seen).toEqual(['POST /graphql', 'POST /put'])
})

test('an answer that shows a limit of the route leaves a read to the next one', async () => {
  expect((await call('books.view', 'new')).body.data).toEqual({ by: 'graphql' })
  expect((await call('books.view', 'old')).body.data).toEqual({ by: 'rest' })
})

test('with no other route it is ADAPTER_UNSUPPORTED, and says why', async () => {
  const { body } = await call('books.view', 'old', 'graphql')
  expect(body.error).toMatchObject({
    code: 'ADAPTER_UNSUPPORTED',
    message: expect.stringContaining('not listed here'),
  })
})

test('a change cannot find out afterwards that it should not have been made', async () => {
  const late = put.replace('document: "mutation', 'unsupported: "\'no\'"\n    document: "mutation')
  const loaded = loadCapabilities({
    directories: [await writePack({ late })],
    adapters: createAdapters(),
    env: {},
    now: Date.now,
  })
  await loaded.close()
  expect(loaded.problems.map(({ message }) => message)).toEqual([
    'routes.graphql.unsupported comes too late: the write has been applied',
  ])
})
