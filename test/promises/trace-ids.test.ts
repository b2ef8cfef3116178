import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startCollector } from '../observe/tracing/collector.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { gh } from '../support/parts.ts'
import { until } from '../support/until.ts'

vi.setConfig({ testTimeout: 180_000 })

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`
const SECRET = 'agent-secret-0123456789'
const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }

type Line = Readonly<Record<string, unknown>>
interface Ids {
  readonly request_id: string
  readonly trace_id?: string | null
}
/** Makes one call, and gives the ids of its envelope. */
type Make = (gateway: TestGateway, headers: Record<string, string>) => Promise<Ids>

const call =
  (input: object, query: Record<string, string> = {}): Make =>
  async (gateway, headers) =>
    (await gateway.call('repo.view', input, { headers, query })).body.meta

async function send(gateway: TestGateway, path: string, body: string, headers: object) {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  })
  return await response.text()
}

const CALLS: Readonly<Record<string, Make>> = {
  'a success': call(REPOSITORY, { route: 'rest' }),
  'a failure': call({ ...REPOSITORY, name: 'nothing' }),
  'an invalid input': call({}),
  'a call without a key': (gateway, headers) =>
    call(REPOSITORY)(gateway, { ...headers, authorization: '' }),
  'a body that is no JSON': async (gateway, headers) => {
    const text = await send(gateway, '/v1/capabilities/repo.view', '{', headers)
    return JSON.parse(text).meta
  },
  'an item of a batch': async (gateway, headers) => {
    const body = { calls: [{ capability: 'repo.view', input: REPOSITORY }] }
    const text = await send(gateway, '/v1/batch', JSON.stringify(body), headers)
    return JSON.parse(text).data.results[0].envelope.meta
  },
  'a refused item of a batch': async (gateway, headers) => {
    const body = { calls: [{ capability: 'repo.view', input: REPOSITORY, timeout_ms: -1 }] }
    const text = await send(gateway, '/v1/batch', JSON.stringify(body), headers)
    return JSON.parse(text).data.results[0].envelope.meta
  },
  'a call over MCP': async (gateway, headers) => {
    const params = { name: 'repo_view', arguments: REPOSITORY }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const text = await send(gateway, '/mcp?tools=all&profile=default', body, headers)
    const [, json = '{}'] = /^(?:data: )?(\{.*\})$/m.exec(text) ?? []
    return JSON.parse(JSON.parse(json).result.content[0].text).meta
  },
  ...(gh.available ? { 'a program': call(REPOSITORY, { route: 'cli' }) } : {}),
}

async function startLogged(env: Record<string, string>) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const lines: Line[] = []
  const gateway = await startTestGateway({
    settings: { keys: [{ name: 'agent', secret: SECRET }] },
    env,
    onLog: line => lines.push(line),
  })
  let ended: PromiseLike<void> | null = null
  const end = async () => await (ended ??= gateway[Symbol.asyncDispose]())
  onTestFinished(end)
  const logged = (id: string) =>
    until(
      () => lines.filter(line => line.request_id === id),
      found => found.length > 0,
    )
  const row = async (id: string) => (await gateway.engine.journal.request(id)) ?? null
  return { gateway, logged, row, end }
}

describe.each(Object.entries(CALLS))('%s', (_name, make) => {
  test.each([
    ['of its caller', { traceparent: PARENT }],
    ['of its own', {}],
    ['of its own, because that of its caller is invalid', { traceparent: `${PARENT}0` }],
  ])('has one id and one trace %s everywhere', async (whose, given) => {
    const collector = await startCollector()
    onTestFinished(() => collector[Symbol.asyncDispose]())
    const { gateway, logged, row, end } = await startLogged({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    })
    const meta = await make(gateway, { authorization: `Bearer ${SECRET}`, ...given })
    const { request_id: id, trace_id: trace } = meta
    expect({ id, trace }).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      trace: whose === 'of its caller' ? TRACE : expect.stringMatching(/^[\da-f]{32}$/),
    })
    expect(await logged(id)).toEqual([expect.objectContaining({ trace_id: trace })])
    expect(await row(id)).toMatchObject({
      request_id: id,
      trace_id: trace,
      meta: { trace_id: trace },
    })
    await end()
    const servers = collector.spans.filter(({ kind }) => kind === 'server')
    expect(servers.map(one => [one.attributes['signalbox.request_id'], one.trace])).toEqual([
      [id, trace],
    ])
    expect(new Set(collector.spans.map(one => one.trace))).toEqual(new Set([trace]))
  })

  test('without a collector has the trace of its caller, or none', async () => {
    const { gateway, logged, row } = await startLogged({})
    for (const [given, trace] of [
      [{ traceparent: PARENT }, TRACE],
      [{}, undefined],
    ] as const) {
      const meta = await make(gateway, { authorization: `Bearer ${SECRET}`, ...given })
      expect(meta.trace_id).toBe(trace)
      const [line] = await logged(meta.request_id)
      expect(line?.trace_id).toBe(trace)
      expect(await row(meta.request_id)).toMatchObject({ trace_id: trace ?? null })
    }
  })
})
