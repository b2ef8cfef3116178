import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../../sandbox/index.ts'
import { createSampler } from '../../../src/observe/tracing/sampler.ts'
import { signalbox } from '../../commands/support/signalbox.ts'
import { startTestGateway } from '../../support/gateway.ts'
import { githubEnv } from '../../support/github.ts'
import { startGatewayProcess } from '../../support/process.ts'
import { type Collector, startCollector } from './collector.ts'

// Some tests start whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const KEY = 'a-secret-of-the-gateway'

interface Traced {
  readonly sandbox: Sandbox
  readonly call: (id: string, input: unknown, headers?: Record<string, string>) => Promise<Response>
  /** Ends the gateway, which exports the remaining spans. */
  readonly end: () => Promise<unknown>
}

/** A gateway without any programs. The exporter reads its variables from this process. */
async function startTraced(
  env: Record<string, string>,
  onLog: (line: object) => void = () => {},
): Promise<Traced> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const gateway = await startTestGateway({ env: { ...gatewayEnv, ...env }, onLog })
  let ended: PromiseLike<void> | null = null
  const end = async () => await (ended ??= gateway[Symbol.asyncDispose]())
  onTestFinished(end)
  return { sandbox: gateway.sandbox, call: callerOf(gateway.url), end }
}

/** The same as a process of its own. */
async function startTracedProcess(env: Record<string, string>): Promise<Traced> {
  const sandbox = await createSandbox({ port: 0 })
  onTestFinished(() => sandbox.close())
  const gateway = await startGatewayProcess({
    ...githubEnv(sandbox.url),
    SIGNALBOX_JOURNAL: ':memory:',
    ...gatewayEnv,
    ...env,
  })
  onTestFinished(() => void gateway.child.kill('SIGKILL'))
  return { sandbox, call: callerOf(gateway.url), end: () => gateway.end('SIGTERM') }
}

const gatewayEnv = { PATH: '/nowhere', SIGNALBOX_KEYS: `agent:${KEY}` }

function callerOf(url: string): Traced['call'] {
  return (id, input, headers = {}) =>
    fetch(`${url}/v1/capabilities/${id}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${KEY}`,
        traceparent: `00-${TRACE}-${CALLER}-01`,
        ...headers,
      },
      body: JSON.stringify(input),
    })
}

async function startBoth(env: Record<string, string> = {}, start = startTraced) {
  const collector = await startCollector()
  onTestFinished(() => collector[Symbol.asyncDispose]())
  const gateway = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env })
  return { collector, ...gateway }
}

function split({ spans }: Collector) {
  return {
    servers: spans.filter(({ kind }) => kind === 'server'),
    clients: spans.filter(({ kind }) => kind === 'client'),
  }
}

/** The `traceparent` headers that the service received, in order. */
function received(sandbox: Sandbox): (string | undefined)[] {
  return sandbox.log.rows().map(({ traceparent }) => traceparent)
}

describe('a call', () => {
  test('is a span below that of its caller, and above one for the attempt, whose id goes to the service', async () => {
    const { collector, sandbox, call, end } = await startBoth({}, startTracedProcess)
    const answer = await call('repo.view', REPOSITORY, { 'x-request-id': 'the-id' })
    expect(await end()).toBe(0)

    const { servers, clients } = split(collector)
    expect(servers).toEqual([
      expect.objectContaining({
        trace: TRACE,
        parent: CALLER,
        name: 'POST /v1/capabilities/{id}',
        failed: false,
        attributes: {
          'http.request.method': 'POST',
          'http.route': '/v1/capabilities/{id}',
          'http.response.status_code': 200,
          'signalbox.request_id': answer.headers.get('x-request-id'),
          'signalbox.correlation_id': 'the-id',
          'signalbox.caller': 'agent',
          'signalbox.code': 'ok',
          'signalbox.capability': 'repo.view',
          'signalbox.upstream': 'github',
          'signalbox.route_used': 'rest',
          'signalbox.reason': 'CARD_PREFERRED',
        },
      }),
    ])
    expect(clients).toEqual([
      expect.objectContaining({ trace: TRACE, parent: servers[0]?.id, name: 'github rest' }),
    ])
    expect(clients[0]?.attributes).toMatchObject({
      'signalbox.outcome': 'success',
      'http.response.status_code': 200,
    })
    expect(received(sandbox)).toEqual([`00-${TRACE}-${clients[0]?.id}-01`])
  })

  test('without a readable span of its caller begins a trace', async () => {
    const { collector, sandbox, call, end } = await startBoth()
    await call('repo.view', REPOSITORY, { traceparent: 'nonsense' })
    await end()

    const { servers, clients } = split(collector)
    expect(servers).toEqual([expect.objectContaining({ parent: '' })])
    expect(received(sandbox)).toEqual([`00-${servers[0]?.trace}-${clients[0]?.id}-01`])
  })

  test('has a span for each attempt, and an event for each skipped route', async () => {
    const { collector, sandbox, call, end } = await startBoth()
    sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 9 }])
    await call('repo.view', REPOSITORY)
    await end()

    const { servers, clients } = split(collector)
    expect(clients.map(({ name, failed }) => [name, failed])).toEqual([
      ...clients.slice(0, -1).map(() => ['github rest', true]),
      ['github graphql', false],
    ])
    expect(clients[0]?.attributes).toMatchObject({
      'signalbox.outcome': 'SERVER',
      'error.type': 'SERVER',
      'signalbox.retry': 0,
      'http.response.status_code': 503,
    })
    expect(servers[0]?.attributes).toMatchObject({ 'signalbox.reason': 'CARD_FALLBACK' })
    expect(servers[0]?.events).toEqual([
      {
        name: 'route skipped',
        attributes: expect.objectContaining({
          'signalbox.route': 'cli',
          'signalbox.reason': 'CLI_NOT_AVAILABLE',
        }),
      },
    ])
    expect(received(sandbox)).toEqual(clients.map(({ id }) => `00-${TRACE}-${id}-01`))
    for (const { start, end: over } of collector.spans) expect(over).toBeGreaterThanOrEqual(start)
  })

  test('that has to be verified has spans for the reads, and a replayed one has none', async () => {
    const { collector, sandbox, call, end } = await startBoth()
    sandbox.faults.set([{ on: { method: 'POST' }, do: { reset: 'after' }, times: 1 }])
    const input = { ...REPOSITORY, title: 'Once for all' }
    const headers = { 'idempotency-key': 'once' }
    await call('issue.create', input, headers)
    await call('issue.create', input, headers)
    await end()

    const { servers, clients } = split(collector)
    const [write, ...reads] = clients
    expect(write?.attributes).toMatchObject({ 'signalbox.outcome': 'NETWORK' })
    expect(reads.length).toBeGreaterThan(0)
    for (const { attributes } of reads) {
      expect(attributes).toMatchObject({ 'signalbox.purpose': 'verify' })
    }
    expect(received(sandbox)).toEqual(clients.map(({ id }) => `00-${TRACE}-${id}-01`))
    expect(servers.map(({ attributes }) => attributes['signalbox.reason'])).toEqual([
      'RECOVERED',
      'IDEMPOTENT_REPLAY',
    ])
  })

  test('that fails has its error code, and its spans contain no secret, and of the input only the path', async () => {
    const { collector, call, end } = await startBoth()
    await call('repo.view', { owner: 'octo-org', name: 'in-the-path' })
    await call('repo.view', { owner: 'octo-org', nam: 'not-to-be-told' })
    await call('issue.create', { ...REPOSITORY, title: 'not-to-be-told', body: 'neither this' })
    await end()

    const { servers } = split(collector)
    expect(servers.map(({ attributes, failed }) => [attributes['signalbox.code'], failed])).toEqual(
      [
        ['NOT_FOUND', false],
        ['VALIDATION', false],
        ['ok', false],
      ],
    )
    expect(servers[1]?.attributes).toMatchObject({ 'http.response.status_code': 400 })
    for (const secret of ['sandbox-token', KEY, 'not-to-be-told', 'neither this']) {
      expect(collector.received().includes(secret)).toBe(false)
    }
  })
})

describe('tracing', () => {
  test('includes calls that are refused before the pipeline', async () => {
    const { collector, call, end } = await startBoth()
    await call('repo.view', REPOSITORY, { authorization: 'Bearer none' })
    await call('repo.view', REPOSITORY, { 'content-type': 'text/plain' })
    await end()
    const spans = split(collector).servers.map(({ trace, parent, attributes }) => [
      trace,
      parent,
      attributes['signalbox.code'],
      attributes['signalbox.caller'],
    ])
    expect(spans).toEqual([
      [TRACE, CALLER, 'AUTH', '(anonymous)'],
      [TRACE, CALLER, 'VALIDATION', 'agent'],
    ])
  })

  test('leaves out a call whose caller is not sampled, and tells the service so', async () => {
    const { collector, sandbox, call, end } = await startBoth()
    await call('repo.view', REPOSITORY, { traceparent: `00-${TRACE}-${CALLER}-00` })
    await end()
    expect(collector.spans).toEqual([])
    expect(received(sandbox)).toEqual([expect.stringMatching(`^00-${TRACE}-[0-9a-f]{16}-00$`)])
    expect(received(sandbox)[0]).not.toContain(CALLER)
  })

  test('is off without a collector, and passes the header of the caller on', async () => {
    const { sandbox, call, end } = await startTraced({})
    await call('repo.view', REPOSITORY)
    await end()
    expect(received(sandbox)).toEqual([`00-${TRACE}-${CALLER}-01`])
  })

  test.each(['OTEL_SDK_DISABLED=true', 'OTEL_TRACES_EXPORTER=none'])(
    'is off with %s',
    async text => {
      const [name = '', value = ''] = text.split('=')
      const { collector, sandbox, call, end } = await startBoth({ [name]: value })
      await call('repo.view', REPOSITORY)
      await end()
      expect(collector.exports).toEqual([])
      expect(received(sandbox)).toEqual([`00-${TRACE}-${CALLER}-01`])
    },
  )

  test.each([
    [undefined, undefined, 'ParentBased{root=AlwaysOnSampler'],
    ['always_off', undefined, 'AlwaysOffSampler'],
    ['traceidratio', '0.25', 'TraceIdRatioBased{0.25}'],
    ['parentbased_traceidratio', '0.5', 'ParentBased{root=TraceIdRatioBased{0.5}'],
    ['traceidratio', 'much', 'TraceIdRatioBased{1}'],
  ])('samples as OTEL_TRACES_SAMPLER says: %s with %s', (name, argument, description) => {
    const env = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument }
    const warn = vi.fn<() => void>()
    expect(createSampler(env, { warn }).toString()).toContain(description)
    expect(warn).not.toHaveBeenCalled()
  })

  test('samples every call, with a warning, if OTEL_TRACES_SAMPLER names no sampler', () => {
    const warn = vi.fn<() => void>()
    const sampler = createSampler({ OTEL_TRACES_SAMPLER: 'often' }, { warn })
    expect(sampler.toString()).toContain('root=AlwaysOnSampler')
    expect(warn).toHaveBeenCalledOnce()
  })
})

describe('the collector', () => {
  test('receives the service name and the headers that the variables set', async () => {
    const { collector, call, end } = await startBoth({
      OTEL_SERVICE_NAME: 'gateway-of-tests',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=opensesame',
    })
    await call('repo.view', REPOSITORY)
    await end()
    expect(collector.resource).toMatchObject({ 'service.name': 'gateway-of-tests' })
    const [sent] = collector.exports
    expect(sent?.path).toBe('/v1/traces')
    expect(sent?.headers).toMatchObject({ 'x-collector-key': 'opensesame' })
  })

  test('that refuses is logged once, and fails no call', async () => {
    const collector = await startCollector(400)
    onTestFinished(() => collector[Symbol.asyncDispose]())
    const lines: object[] = []
    const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/path` }
    const { call, end } = await startTraced(env, line => lines.push(line))
    expect((await call('repo.view', REPOSITORY)).status).toBe(200)
    await expect.poll(() => collector.exports.length, { timeout: 60_000 }).toBe(1)
    expect((await call('repo.view', REPOSITORY)).status).toBe(200)
    await end()
    expect(collector.exports.map(({ path }) => path)).toEqual(['/own/path', '/own/path'])
    expect(JSON.stringify(lines).match(/spans cannot be exported/g)).toHaveLength(1)
  })

  test('that never answers delays neither a call nor the shutdown', async () => {
    const collector = await startCollector(null)
    onTestFinished(() => collector[Symbol.asyncDispose]())
    const { call, end } = await startTracedProcess({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      // Longer than a shutdown may take, so the shutdown must not wait for it.
      OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
      SIGNALBOX_TIMEOUT_MS: '5000',
    })
    expect((await call('repo.view', REPOSITORY)).status).toBe(200)
    expect(await end()).toBe(0)
    expect(collector.exports).toHaveLength(1)
  })

  test('with an invalid address stops the start', async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318', SIGNALBOX_JOURNAL: ':memory:' }
    const { code, stderr } = await signalbox(['serve', '--port', '0'], env)
    expect(stderr).toMatch(
      /^signalbox: OTEL_EXPORTER_OTLP_ENDPOINT is not usable: it must be a URL/,
    )
    expect(code).toBe(1)
  })
})
