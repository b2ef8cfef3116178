import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { prometheus } from '../support/parts.ts'
import { type PrometheusServer, startPrometheus } from '../support/prometheus.ts'
import { openService, type Received, type Service } from '../support/service.ts'

/** The program's own client; the gateway names itself otherwise. */
const isPromtool = ({ headers }: Received) =>
  /^(promtool|Go-http-client)/i.test(headers['user-agent'] ?? '')

const now = Date.now()
const START = new Date(now - 3600_000).toISOString()
const SOON = new Date(now - 3590_000).toISOString()
const END = new Date(now + 3600_000).toISOString()

/** Inputs whose answers do not change while the server runs. */
const BOTH_ROUTES: readonly (readonly [string, string, object])[] = [
  ['a vector', 'prometheus.query', { query: 'vector(7)', time: START }],
  ['a scalar', 'prometheus.query', { query: '1 / 0', time: START }],
  [
    'labels',
    'prometheus.query',
    { query: 'label_replace(vector(1), "a", "ü \\"x\\"", "", "")', time: START },
  ],
  ['no series', 'prometheus.query', { query: 'up{job="none"}' }],
  ['a query that begins with a dash', 'prometheus.query', { query: '-vector(1)', time: START }],
  [
    'a range',
    'prometheus.query_range',
    { query: 'vector(time())', start: START, end: END, stepSeconds: 600 },
  ],
  [
    'a range in parts of a second',
    'prometheus.query_range',
    { query: 'vector(1)', start: START, end: SOON, stepSeconds: 0.5 },
  ],
  ['series', 'prometheus.series', { match: ['up', '{__name__="job:up:sum"}'] }],
  ['series within a time', 'prometheus.series', { match: ['up'], start: START, end: END }],
  ['no such series', 'prometheus.series', { match: ['nothing'] }],
  ['values', 'prometheus.label_values', { label: 'job' }],
  [
    'values of some series',
    'prometheus.label_values',
    { label: '__name__', match: ['{job="self"}'], start: START },
  ],
  ['values of an unknown label', 'prometheus.label_values', { label: 'nothing' }],
]

/** The server scrapes itself every second. */
const SEVERAL_SCRAPES = { timeout: 15_000, interval: 300 }

const REFUSED: readonly (readonly [string, string, object])[] = [
  ['a query that does not parse', 'prometheus.query', { query: 'up{' }],
  [
    'a query that cannot be evaluated',
    'prometheus.query',
    { query: 'up * on() group_left() {__name__=~"go_.+"}' },
  ],
  [
    'too many steps',
    'prometheus.query_range',
    { query: 'up', start: '2020-01-01T00:00:00Z', end: END, stepSeconds: 1 },
  ],
  ['a bad selector', 'prometheus.series', { match: ['up{'] }],
]

describe.skipIf(!prometheus.available)('the prometheus pack on a real server', () => {
  let server: PrometheusServer
  let proxy: Service
  let gateway: TestGateway
  let broken: (request: Received) => boolean = () => false

  beforeAll(async () => {
    server = await startPrometheus()
    proxy = await openService(async (request, response) => {
      if (broken(request)) {
        response.writeHead(503).end('no server is available')
        return
      }
      const { method, headers, body } = request
      const type = headers['content-type']
      const answer = await fetch(`${server.url}${request.url}`, {
        method,
        headers: type === undefined ? {} : { 'content-type': type },
        ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
      })
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
      })
      response.end(await answer.text())
    })
    gateway = await startTestGateway({
      settings: { packs: ['prometheus'], retries: 0 },
      env: { PROMETHEUS_URL: proxy.url },
    })
  })
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]()
    await proxy?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
  })

  test.each(BOTH_ROUTES)('%s: both routes of %s return the same', async (_title, id, input) => {
    // The server scrapes itself: a scrape between the two calls adds series, so try again.
    await vi.waitFor(async () => {
      const rest = await gateway.call(id, input, { query: { route: 'rest' } })
      const cli = await gateway.call(id, input, { query: { route: 'cli' } })
      expect(rest.body).toMatchObject({ ok: true, meta: { route_used: 'rest' } })
      expect(cli.body).toMatchObject({ ok: true, meta: { route_used: 'cli' } })
      expect(cli.body.data).toEqual(rest.body.data)
    }, SEVERAL_SCRAPES)
  })

  test.each(REFUSED)('%s is VALIDATION on both routes of %s', async (_title, id, input) => {
    for (const route of ['rest', 'cli']) {
      const { body } = await gateway.call(id, input, { query: { route } })
      expect({ route, ...body.error }).toMatchObject({
        route,
        code: 'VALIDATION',
        retryable: false,
      })
    }
  })

  test('a range of one moment goes to REST, since promtool refuses it', async () => {
    const input = { query: 'vector(1)', start: START, end: START, stepSeconds: 1 }
    const { body } = await gateway.call('prometheus.query_range', input)
    expect(body.data.series).toMatchObject([{ values: [[expect.any(Number), '1']] }])
    const pinned = await gateway.call('prometheus.query_range', input, { query: { route: 'cli' } })
    expect(pinned.body.error.message).toContain('promtool needs a start before the end')
  })

  test('a query returns what the server has scraped', async () => {
    const { body } = await gateway.call('prometheus.query', { query: 'up' })
    expect(body.data.series).toMatchObject([
      { metric: { __name__: 'up', job: 'self' }, values: [[expect.any(Number), '1']] },
    ])
  })

  test('a selector of a range gives every sample', async () => {
    const { body } = await gateway.call('prometheus.query', { query: 'up[1h]' })
    expect(body.data.series[0].values.length).toBeGreaterThan(0)
  })

  test.each([
    ['prometheus.labels', {}, { items: expect.arrayContaining(['__name__', 'job']) }],
    ['prometheus.labels', { match: ['job:up:sum'] }, { items: ['__name__', 'job'] }],
    [
      'prometheus.alerts',
      {},
      { items: [{ labels: { alertname: 'AlwaysOn', severity: 'page' }, state: 'firing' }] },
    ],
    [
      'prometheus.rules',
      {},
      {
        items: [
          { type: 'recording', name: 'job:up:sum' },
          { type: 'alerting', name: 'AlwaysOn', alerts: [{}] },
        ],
      },
    ],
    [
      'prometheus.rules',
      { type: 'record' },
      { items: [{ name: 'job:up:sum', health: 'ok', lastError: null }] },
    ],
    [
      'prometheus.targets',
      {},
      { items: [{ labels: { job: 'self' }, health: 'up', lastError: null }] },
    ],
    [
      'prometheus.metadata',
      { metric: 'go_goroutines' },
      { items: [{ metric: 'go_goroutines', entries: [{ type: 'gauge' }] }] },
    ],
    ['prometheus.metadata', { metric: 'nothing' }, { items: [] }],
  ])('%s %j', async (id, input, data) => {
    const { body } = await gateway.call(id, input)
    expect(body).toMatchObject({ ok: true, data, meta: { route_used: 'rest' } })
  })

  test('a broken REST route falls back to promtool, and a broken promtool to REST', async () => {
    const ask = async (query = {}) =>
      (await gateway.call('prometheus.query', { query: 'up' }, { query })).body
    expect((await ask()).meta.route_used).toBe('rest')
    broken = request => !isPromtool(request)
    const fallback = await ask()
    expect(fallback).toMatchObject({
      ok: true,
      meta: { route_used: 'cli', reason: 'CARD_FALLBACK' },
    })
    expect(fallback.meta.attempts).toMatchObject([
      { route: 'rest', status: 'error', upstream_status: 503 },
      { route: 'cli', status: 'success' },
    ])
    broken = isPromtool
    const pinned = await ask({ route: 'cli' })
    expect(pinned.error).toMatchObject({ code: 'SERVER', retryable: true })
    expect((await ask()).meta).toMatchObject({ route_used: 'rest', reason: 'CARD_PREFERRED' })
    broken = () => false
  })
})
