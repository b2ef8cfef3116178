import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type CallResult, startTestGateway, type TestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'
import { startService } from '../support/service.ts'

const ROUTES = ['rest', 'graphql', 'cli'] as const
const EFFECTS = ['read', 'write'] as const
type Route = (typeof ROUTES)[number]
type Effect = (typeof EFFECTS)[number]

const CALLS = 500
const AT_ONCE = 8
const WAITING = 8
/** How long the service takes. */
const WORK_MS = 3_000

const section = (route: Route, effect: Effect) =>
  ({
    rest: `{ method: ${effect === 'read' ? 'GET' : 'POST'}, path: "/things/{n}", result: "{made: body.made}" }`,
    graphql: `
    document: "${effect === 'read' ? 'query' : 'mutation'} Make($n: Int!) { made(n: $n) }"
    variables: { n: input.n }
    result: "{made: body.made}"`,
    cli: `
    command: [-c, "sleep 3; printf '{\\"made\\":true}'"]
    positionals: [input.n]
    parse: json
    result: "{made: body.made}"`,
  })[route]

const cardOf = (route: Route, effect: Effect) => `
id: thing.${effect}
version: 1.0.0
description: Make a thing, slowly.
effect: ${effect}
input: { type: object, required: [n], additionalProperties: false, properties: { n: { type: integer } } }
output: { type: object, required: [made], properties: { made: { type: boolean } } }
prefer: [${route}]
routes:
  ${route}: ${section(route, effect)}
`

async function start(route: Route, effect: Effect) {
  const { url } = await startService(async (request, response) => {
    await delay(WORK_MS)
    response.setHeader('content-type', 'application/json')
    response.end(request.url === '/graphql' ? '{"data":{"made":true}}' : '{"made":true}')
  })
  const limits = `connections: ${AT_ONCE}, max_queue: ${WAITING}`
  const directory = await writePack({
    'upstream.yaml': `
id: thing
description: Makes things.
rest: { base_url: "${url}", ${limits} }
graphql: { url: "${url}/graphql", ${limits} }
cli: { command: sh, max_processes: ${AT_ONCE}, max_queue: ${WAITING} }
`,
    [`thing.${effect}.yaml`]: cardOf(route, effect),
  })
  return await startTestGateway({ settings: { capabilities: [directory] } })
}

/** Collects the circuits that open. Afterwards they may be closed again, by the calls that were made. */
function watchCircuits({ engine }: TestGateway): readonly string[] {
  const opened: string[] = []
  engine.state.breakers.onChange = key => opened.push(key)
  return opened
}

/** Calls that are sure to find every place taken are refused within this time, on a busy machine. */
const AT_ONCE_MS = 1_500

const CELLS = ROUTES.flatMap(route => EFFECTS.map(effect => [route, effect] as const))

test.each(CELLS)(
  'too many calls by %s are refused as the fault of the gateway, and the others are made: %s',
  async (route, effect) => {
    await using gateway = await start(route, effect)
    const opened = watchCircuits(gateway)
    const calls = Array.from({ length: CALLS }, (_, n) => gateway.call(`thing.${effect}`, { n }))
    const answers = await Promise.all(calls)
    const refused = answers.filter(({ status }) => status !== 200)
    const made = answers.filter(({ status }) => status === 200)
    expect(made.length).toBeGreaterThanOrEqual(AT_ONCE + WAITING)
    expect(refused.length).toBeGreaterThan(CALLS / 2)
    for (const answer of refused) expectRefusal(answer, effect)
    expect(opened).toEqual([])
    expect(await scrape(gateway, 'signalbox_bulkhead_refusals_total', route)).toBe(refused.length)
    expect(await scrape(gateway, 'signalbox_bulkhead_waits_total', route)).toBeGreaterThanOrEqual(
      WAITING,
    )
    const waited = await scrape(gateway, 'signalbox_bulkhead_wait_seconds_total', route)
    expect(waited).toBeGreaterThan((WAITING * WORK_MS) / 2 / 1000)
  },
  60_000,
)

test.each(CELLS)(
  'a call by %s that waits in vain until its deadline is the fault of the gateway too: %s',
  async (route, effect) => {
    await using gateway = await start(route, effect)
    const opened = watchCircuits(gateway)
    const send = (n: number, timeout: number) =>
      gateway.call(`thing.${effect}`, { n }, { query: { timeout_ms: String(timeout) } })
    const running = Array.from({ length: AT_ONCE }, (_, n) => send(n, 20_000))
    await delay(WORK_MS / 6)
    const waiting = await Promise.all([100, 101, 102, 103, 104, 105].map(n => send(n, 500)))
    for (const answer of waiting) expectRefusal(answer, effect)
    expect(opened).toEqual([])
    for (const { status } of await Promise.all(running)) expect(status).toBe(200)
  },
  60_000,
)

function expectRefusal({ status, headers, body }: CallResult, effect: Effect): void {
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toBe('1')
  expect(body.error).toMatchObject({
    code: 'SERVER',
    source: 'gateway',
    retryable: true,
    write_outcome: effect === 'read' ? null : 'not_applied',
  })
  expect(body.meta.duration_ms).toBeLessThan(AT_ONCE_MS)
}

async function scrape({ url }: TestGateway, metric: string, route: Route): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = `${metric}{upstream="thing",route="${route}"} `
  const found = text.split('\n').find(one => one.startsWith(line))
  return Number(found?.slice(line.length))
}
