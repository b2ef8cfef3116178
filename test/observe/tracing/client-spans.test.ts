import { expect, onTestFinished, test, vi } from 'vitest'
import { version } from '../../../src/lib/version.ts'
import { startTestGateway } from '../../support/gateway.ts'
import { writePack } from '../../support/packs.ts'
import { gh } from '../../support/parts.ts'
import { sendJson, startService } from '../../support/service.ts'
import { startCollector } from './collector.ts'

vi.setConfig({ testTimeout: 180_000 })

const SECRET = 'secret-of-the-shop-4711'

/** Makes calls at a gateway with a collector, and gives the spans of their attempts. */
async function trace(
  options: { readonly pack?: string; readonly env?: Record<string, string> },
  work: (gateway: Awaited<ReturnType<typeof startTestGateway>>) => Promise<unknown>,
) {
  const collector = await startCollector()
  onTestFinished(() => collector[Symbol.asyncDispose]())
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
  onTestFinished(() => void vi.unstubAllEnvs())
  const gateway = await startTestGateway({
    settings: options.pack === undefined ? {} : { capabilities: [options.pack] },
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...options.env },
  })
  try {
    await work(gateway)
  } finally {
    await gateway[Symbol.asyncDispose]()
  }
  return {
    collector,
    port: Number(new URL(gateway.sandbox.url).port),
    url: gateway.sandbox.url,
    clients: collector.spans.filter(({ kind }) => kind === 'client'),
    servers: collector.spans.filter(({ kind }) => kind === 'server'),
  }
}

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }

test.each([
  ['rest', 'GET', '/repos/octo-org/hello-world'],
  ['graphql', 'POST', '/graphql'],
])('an attempt by %s has the attributes of an HTTP client', async (route, method, path) => {
  const { clients, servers, port, url } = await trace({}, gateway =>
    gateway.call('repo.view', REPOSITORY, { query: { route } }),
  )
  expect(clients).toEqual([
    expect.objectContaining({
      attributes: expect.objectContaining({
        'http.request.method': method,
        'url.full': `${url}${path}`,
        'server.address': '127.0.0.1',
        'server.port': port,
        'http.response.status_code': 200,
      }),
    }),
  ])
  expect(clients[0]?.attributes).not.toHaveProperty(['http.request.resend_count'])
  expect(servers[0]?.attributes).toMatchObject({ 'http.route': '/v1/capabilities/{id}' })
})

test.runIf(gh.available)('a program has none of them', async () => {
  const { clients } = await trace({}, gateway =>
    gateway.call('repo.view', REPOSITORY, { query: { route: 'cli' } }),
  )
  expect(clients).toHaveLength(1)
  expect(clients[0]?.attributes).not.toHaveProperty(['http.request.method'])
  expect(clients[0]?.attributes).not.toHaveProperty(['url.full'])
})

test('each retry counts up, and a failure has its type', async () => {
  const { clients } = await trace({}, gateway => {
    gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { reset: 'before' }, times: 9 }])
    return gateway.call('repo.view', REPOSITORY, { query: { route: 'rest' } })
  })
  const shown = clients.map(({ attributes }) => [
    attributes['http.request.resend_count'],
    attributes['error.type'],
    attributes['http.request.method'],
  ])
  expect(shown.length).toBeGreaterThan(1)
  expect(shown).toEqual(
    shown.map((_, retry) => [retry === 0 ? undefined : retry, 'NETWORK', 'GET']),
  )
})

const UPSTREAM = (url: string) => `
id: shop
schemes: { key: { type: query, name: key } }
credentials: { default: { key: { env: [SHOP_KEY] } } }
needs: [key]
rest: { base_url: "${url}/v1" }
`
const CARD = `
id: shop.search
version: 1.0.0
description: Search.
effect: read
input: { type: object, required: [text], properties: { text: { type: string }, page: { type: integer } } }
output: { type: object, required: [name], properties: { name: { type: string } } }
prefer: [rest]
routes:
  rest:
    lookup: { first: { method: GET, path: /lookup } }
    method: GET
    path: /search
    query: { q: input.text, page: input.page }
    result: "{name: body.name}"
`

test('an address shows neither the secret in a query nor the words of the caller', async () => {
  const service = await startService((_request, response) => sendJson(response, { name: 'x' }))
  const pack = await writePack({
    'upstream.yaml': UPSTREAM(service.url),
    'shop.search.yaml': CARD,
  })
  const env = { SHOP_KEY: SECRET }
  const { clients, collector } = await trace({ pack, env }, gateway =>
    gateway.call('shop.search', { text: 'private words', page: 2 }),
  )
  expect(service.lines()).toContainEqual(expect.stringContaining(SECRET))
  expect(clients.map(({ attributes }) => attributes['url.full'])).toEqual([
    `${service.url}/v1/search?q=REDACTED&page=2`,
  ])
  for (const secret of [SECRET, 'private'])
    expect(collector.received().includes(secret)).toBe(false)
})

test('the resource names the service, its version and this instance', async () => {
  const name = 'service.instance.id'
  const view = () => trace({}, gateway => gateway.call('repo.view', REPOSITORY))
  const { collector: one } = await view()
  const { collector: other } = await view()
  expect(one.resource).toMatchObject({
    'service.name': 'signalbox',
    'service.version': version,
    [name]: expect.stringMatching(/^[\da-f-]{36}$/),
  })
  expect(one.resource[name]).not.toBe(other.resource[name])
})
