import { expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { loadPacks, writePack } from '../support/packs.ts'
import { sendJson, startService } from '../support/service.ts'

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

const keep = `
id: books.keep
version: 1.0.0
description: Keep a book, by force if wanted.
effect: write
input:
  type: object
  required: [book]
  properties:
    book: { type: string }
    edition: { type: string }
    force: { type: boolean, default: false }
    loud: { type: boolean }
output: { type: object, required: [done], properties: { done: { type: boolean } } }
prefer: [graphql]
routes:
  graphql:
    lookup:
      book:
        document: "query Book { book }"
        conflict: "(!(input.force) || input.loud || input.edition) && body.book == 'lent' ? 'Somebody has it.' : \`null\`"
    document: "mutation Keep { keep }"
    result: "{done: \`true\`}"
`

/** Calls a capability of a library that has one book, of this kind. */
async function call(capability: string, book: string, route?: string, more: object = {}) {
  const service = await startService((_request, response) => sendJson(response, { data: { book } }))
  await using gateway = await startTestGateway({
    settings: { capabilities: [await writeLibrary({ put, view, keep })] },
    env: { LIBRARY_URL: service.url },
  })
  const query = route === undefined ? {} : { query: { route } }
  const { body } = await gateway.call(capability, { book, ...more }, query)
  const seen = service.received.map(({ method, url, body: sent }) =>
    sent.includes('mutation') ? 'mutation' : `${method} ${url}`,
  )
  return { body, seen }
}

function writeLibrary(cards: Readonly<Record<string, string>>): Promise<string> {
  const url = '${LIBRARY_URL:-http://127.0.0.1:1}'
  const upstream = `id: library\nrest: { base_url: "${url}" }\ngraphql: { url: "${url}/graphql" }\n`
  const files = Object.entries(cards).map(([name, card]) => [`${name}.yaml`, card])
  return writePack({ 'upstream.yaml': upstream, ...Object.fromEntries(files) })
}

test('a lookup that finds a conflict ends the call before anything is written', async () => {
  const { body, seen } = await call('books.put', 'lent')
  expect(body.error).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('Somebody'),
  })
  expect(seen).toEqual(['POST /graphql'])
})

test.each([
  [{}, ['book']],
  [{ force: false }, ['book']],
  [{ edition: 'second' }, ['edition']],
  [{ edition: 'second', force: false }, ['edition']],
  [{ force: true, loud: true }, ['force', 'loud']],
  [{ loud: false }, ['loud']],
])('a conflict names no flag that is off by default as the fault: %o', async (more, fields) => {
  const { body, seen } = await call('books.keep', 'lent', undefined, more)
  expect(body.error.next).toMatchObject({ action: 'fix_input', fields })
  expect(seen).toEqual(['POST /graphql'])
})

test('a lookup that shows a limit of the route sends a write by the next route', async () => {
  const { body, seen } = await call('books.put', 'old')
  expect(body).toMatchObject({ data: { done: true }, meta: { route_used: 'rest' } })
  expect(seen).toEqual(['POST /graphql', 'POST /put'])
})

test('an answer that shows a limit of the route sends a read by the next route', async () => {
  expect((await call('books.view', 'new')).body.data).toEqual({ by: 'graphql' })
  expect((await call('books.view', 'old')).body.data).toEqual({ by: 'rest' })
})

test('without another route the call fails with ADAPTER_UNSUPPORTED and the reason', async () => {
  const { body } = await call('books.view', 'old', 'graphql')
  expect(body.error).toMatchObject({
    code: 'ADAPTER_UNSUPPORTED',
    message: expect.stringContaining('not listed here'),
  })
})

test('a write cannot declare its own answer unsupported', async () => {
  const late = put.replace('document: "mutation', 'unsupported: "\'no\'"\n    document: "mutation')
  const loaded = await loadPacks([await writeLibrary({ late })])
  expect(loaded.problems.map(({ message }) => message)).toEqual([
    'routes.graphql.unsupported comes too late: the write has been applied',
  ])
})
