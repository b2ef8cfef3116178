import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { request } from 'undici'
import { beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../src/gateway/app.ts'
import { loadSettings } from '../../src/gateway/config.ts'
import { createEngine } from '../../src/gateway/create-engine.ts'
import { ringOf } from '../support/gateway.ts'

const OPEN = [
  'GET /',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /docs',
  'GET /docs/',
  'GET /docs/json',
  'GET /docs/static/*',
  'GET /docs/static/index.html',
  'GET /docs/static/swagger-initializer.js',
  'GET /docs/yaml',
  'GET /favicon.ico',
  'GET /inspector',
  'GET /inspector/*',
  'GET /inspector/approvals',
  'GET /inspector/approvals/:approval_id',
  'GET /inspector/assets/*',
  'GET /inspector/attempts',
  'GET /inspector/audit',
  'GET /inspector/capabilities/:capability_id',
  'GET /inspector/compare',
  'GET /inspector/overview',
  'GET /inspector/requests/:request_id',
  'GET /inspector/upstreams/:upstream_id',
  'GET /livez',
  'GET /openapi.json',
  'GET /readyz',
]

let gateway: { readonly url: string; readonly routes: string }
beforeAll(async () => {
  const keys = [{ name: 'root', secret: 'a-secret-of-the-operator' }]
  const settings = loadSettings({}, null, { journal: ':memory:', keys })
  const logger = pino({ level: 'silent' })
  const engine = await createEngine({ settings, env: {}, logger })
  const app = await buildApp({ engine, settings, ring: ringOf(settings), logger })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  gateway = { url, routes: app.printRoutes() }
  return async () => {
    await app.close()
    await engine[Symbol.asyncDispose]()
  }
})

/** Reads the routes from Fastify's drawing of its routing tree, in which every node adds to the path of its parent. */
function readRoutes(tree: string): readonly { method: string; path: string }[] {
  const parents: string[] = []
  return tree.split('\n').flatMap(line => {
    const [, indent = '', part = '', methods = ''] =
      /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    const depth = indent.length / 4
    const path = `${parents[depth - 1] ?? ''}${part}`
    parents[depth] = path
    return methods.split(', ').flatMap(method => (method === '' ? [] : [{ method, path }]))
  })
}

const fill = (path: string) => path.replaceAll(/:\w+|\*/g, 'x')

test('only the pinned routes answer without a key', async () => {
  const routes = readRoutes(gateway.routes).filter(({ method }) => method !== 'HEAD')
  expect(routes.length).toBeGreaterThan(OPEN.length)

  const open: string[] = []
  for (const { method, path } of routes) {
    const { status } = await fetch(`${gateway.url}${fill(path)}`, { method, redirect: 'manual' })
    if (status !== 401) open.push(`${method} ${path}`)
  }
  expect(open.toSorted()).toEqual(OPEN)
})

test.each([
  ['/inspector/assets/nothing.js', 404],
  ['/favicon.ico', 404],
  ['/', 404],
  ['/nowhere', 401],
  ['/livez/more', 401],
  ['/v1/capabilitiesx', 401],
])('an unknown path answers an envelope: %s without a key is %d', async (path, expected) => {
  const response = await fetch(`${gateway.url}${path}`)

  expect(response.status).toBe(expected)
  expect(Object.keys((await response.json()) as object)).toEqual(['ok', 'data', 'error', 'meta'])
})

test('a browser at the address of the gateway is led to the inspector', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  // `fetch` of Node.js says that it is no visit of a person.
  const { statusCode, headers: answered } = await request(`${gateway.url}/`, { headers })
  expect([statusCode, answered.location]).toEqual([302, '/inspector'])
})

test.each(['/inspector/nowhere', '/inspector/requests/a/b', '/inspector/requests/%E0%A4%A'])(
  'a wrong address of the inspector gets its page, with status 404: %s',
  async path => {
    const response = await fetch(`${gateway.url}${path}`)

    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await response.text()).toContain('/inspector/assets/inspector.js')
  },
)

test.each([
  ['gzip, deflate, br', 'gzip'],
  ['br;q=1.0, gzip;q=0.5', 'gzip'],
  ['gzip;q=0, br', undefined],
  ['identity', undefined],
])(
  'the files of the inspector are compressed for those who accept it: %s',
  async (accepted, encoding) => {
    const url = `${gateway.url}/inspector/assets/styles.css`
    const headers = { 'accept-encoding': accepted }
    const { statusCode, headers: answered, body } = await request(url, { headers })
    const bytes = Buffer.from(await body.arrayBuffer())
    const text = (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
    expect([statusCode, answered['content-encoding'], answered.vary]).toEqual([
      200,
      encoding,
      'accept-encoding',
    ])
    expect(text).toContain('.masthead')
    const again = { ...headers, 'if-none-match': String(answered.etag) }
    expect((await request(url, { headers: again })).statusCode).toBe(304)
  },
)
