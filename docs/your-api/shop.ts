/** The shop that docs/your-api.md calls. `npx node docs/your-api/shop.ts` starts it on port 9000, or on PORT. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { buildSchema, graphql } from 'graphql'

const parts = [
  { id: 'A1', name: 'Bolt', quantity: 7 },
  { id: 'B2', name: 'Nut', quantity: 0 },
]
const schema = buildSchema(readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'))
const resolvers = {
  parts: () => parts,
  part: ({ id }: { id: string }) => findPart(id) ?? null,
}
let looks = 0

interface Request {
  readonly headers: IncomingMessage['headers']
  readonly url: URL
  readonly body: string
}
type Answer = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>]

/** Method and path → the answer. */
const endpoints: Readonly<Record<string, (request: Request) => Answer | Promise<Answer>>> = {
  'GET /parts': request => withKey(request, () => [200, parts]),
  'GET /parts/A1': request => withKey(request, () => [200, findPart('A1')]),
  'GET /parts/B2': request => withKey(request, () => [200, findPart('B2')]),
  'POST /graphql': async ({ body }) => {
    const { query, variables } = JSON.parse(body) as { query: string; variables?: object }
    return [
      200,
      await graphql({
        schema,
        source: query,
        rootValue: resolvers,
        variableValues: { ...variables },
      }),
    ]
  },
  'POST /charges': ({ body }) => {
    const form = new URLSearchParams(body)
    return [
      200,
      { id: 'ch_1', amount: Number(form.get('amount')), order: form.get('metadata[order]') },
    ]
  },
  'POST /documents': ({ headers, body }) => [
    200,
    { type: headers['content-type']?.split(';')[0], lines: body.split('\r\n') },
  ],
  'GET /report.csv': () => [200, 'sku;stock\nA1;7\nB2;0\n', { 'content-type': 'text/csv' }],
  'GET /parts.xml': () => [
    200,
    '<parts><part sku="A1"><stock>7</stock></part></parts>',
    { 'content-type': 'application/xml' },
  ],
  'POST /exports': () => {
    looks = 0
    return [202, { id: 7 }, { location: '/exports/7', 'retry-after': '0' }]
  },
  'GET /exports/7': () => {
    looks += 1
    return looks < 2 ? [202, { id: 7 }] : [200, { id: 7, url: '/files/7.csv' }]
  },
  'GET /balance': ({ headers }) =>
    headers['client-id'] === 'my-client' && headers.secret === 'my-secret'
      ? [200, { amount: 420 }]
      : [401, { message: 'CLIENT-ID and SECRET, please' }],
  'GET /rates': ({ url }) =>
    url.searchParams.get('api_key') === 'my-query-key'
      ? [200, { euro: 1.08 }]
      : [401, { message: 'api_key, please' }],
  'POST /token': ({ headers }) =>
    headers.authorization === `Basic ${Buffer.from('my-client:my-secret').toString('base64')}`
      ? [200, { access_token: 'a-token-of-an-hour', token_type: 'Bearer', expires_in: 3600 }]
      : [401, { error: 'invalid_client' }],
  'GET /orders': ({ headers }) =>
    headers.authorization === 'Bearer a-token-of-an-hour'
      ? [200, [{ id: 1, sku: 'A1' }]]
      : [401, { message: 'A token, please' }],
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => response.destroy(error))
})
server.listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`The shop listens on http://127.0.0.1:${port}\n`)
})

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://shop')
  const endpoint = endpoints[`${incoming.method} ${url.pathname}`] ?? missing
  const [status, body, headers = {}] = await endpoint({
    headers: incoming.headers,
    url,
    body: await text(incoming),
  })
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

function withKey({ headers }: Request, reply: () => Answer): Answer {
  return headers['x-api-key'] === 'my-shop-key' ? reply() : [401, { message: 'X-Api-Key, please' }]
}

function findPart(id: string) {
  return parts.find(part => part.id === id)
}

function missing(): Answer {
  return [404, { message: 'There is no such thing' }]
}
