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

const section = (route: Route, effect: Effect, workMs: number) =>
  ({
    rest: `{ method: ${effect === 'read' ? 'GET' : 'POST'}, path: "/things/{n}", result: "{made: body.made}" }`,
    graphql: `
    document: "${effect === 'read' ? 'query' : 'mutation'} Make($n: Int!) { made(n: $n) }"
    variables: { n: input.n }
    result: "{made: body.made}"`,
    cli: `
    command: [-c, "sleep ${workMs / 1000}; printf '{\\"made\\":true}'"]
    positionals: [input.n]
    parse: json
    result: "{made: body.made}"`,
  })[route]

const cardOf = (effect: Effect, workMs: number) => `
id: ${effect}s.thing
version: 1.0.0
description: Make a thing, slowly.
effect: ${effect}
input: { type: object, required: [n], additionalProperties: false, properties: { n: { type: integer } } }
output: { type: object, required: [made], properties: { made: { type: boolean } } }
prefer: [rest, graphql, cli]
routes:
${ROUTES.map(route => `  ${route}: ${section(route, effect, workMs)}`).join('\n')}
`

/** A gateway with an upstream for reads and one for writes, whose routes have few places. */
async function start(workMs: number) {
  const { url } = await startService(async (request, response) => {
    await delay(workMs)
    response.setHeader('content-type', 'application/json')
    response.end(request.url === '/graphql' ? '{"data":{"made":true}}' : '{"made":true}')
  })
  const limits = `connections: ${AT_ONCE}, max_queue: ${WAITING}`
  const packs = EFFECTS.map(effect =>
    writePack({
      'upstream.yaml': `
id: ${effect}s
description: Makes things.
rest: { base_url: "${url}", ${limits} }
graphql: { url: "${url}/graphql", ${limits} }
cli: { command: sh, max_processes: ${AT_ONCE}, max_queue: ${WAITING} }
`,
      [`${effect}s.thing.yaml`]: cardOf(effect, workMs),
    }),
  )
  const gateway = await startTestGateway({ settings: { capabilities: await Promise.all(packs) } })
  return { gateway, opened: watchCircuits(gateway) }
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

test('too many calls are refused as the fault of the gateway, and the others are made', async () => {
  const workMs = 1_500
  const { gateway, opened } = await start(workMs)
  await using _ = gateway
  for (const [route, effect] of CELLS) {
    const calls = Array.from({ length: CALLS }, (_, n) =>
      gateway.call(`${effect}s.thing`, { n }, { query: { route } }),
    )
    const answers = await Promise.all(calls)
    const refused = answers.filter(({ status }) => status !== 200)
    const made = answers.filter(({ status }) => status === 200)
    expect(made.length).toBeGreaterThanOrEqual(AT_ONCE + WAITING)
    expect(refused.length).toBeGreaterThan(CALLS / 2)
    for (const answer of refused) expectRefusal(answer, effect)
    expect(opened).toEqual([])
    const count = (name: string) =>
      scrape(gateway, `signalbox_bulkhead_${name}_total`, route, effect)
    expect(await count('refusals')).toBe(refused.length)
    expect(await count('waits')).toBeGreaterThanOrEqual(WAITING)
    expect(await count('wait_seconds')).toBeGreaterThan((WAITING * workMs) / 2 / 1000)
  }
}, 120_000)

test('a call that waits in vain until its deadline is the fault of the gateway too', async () => {
  const workMs = 3_000
  const { gateway, opened } = await start(workMs)
  await using _ = gateway
  const cells = CELLS.map(async ([route, effect]) => {
    const send = (n: number, timeout: number) =>
      gateway.call(`${effect}s.thing`, { n }, { query: { route, timeout_ms: String(timeout) } })
    const running = Array.from({ length: AT_ONCE }, (_, n) => send(n, 20_000))
    await delay(workMs / 6)
    const waiting = await Promise.all([100, 101, 102, 103, 104, 105].map(n => send(n, 500)))
    for (const answer of waiting) expectRefusal(answer, effect)
    for (const { status } of await Promise.all(running)) expect(status).toBe(200)
  })
  await Promise.all(cells)
  expect(opened).toEqual([])
})

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

async function scrape(
  { url }: TestGateway,
  metric: string,
  route: Route,
  effect: Effect,
): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = `${metric}{upstream="${effect}s",route="${route}"} `
  const found = text.split('\n').find(one => one.startsWith(line))
  return Number(found?.slice(line.length))
}
