import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { replay } from '../../src/call/replay/replay.ts'
import { toFixture } from '../../src/journal/fixture.ts'
import type { RequestDetail } from '../../src/journal/row-schemas.ts'
import { runHere } from '../commands/support/run-here.ts'
import { sendBatch } from '../support/batch.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { openMcpStdio } from '../support/mcp.ts'
import { openService, type Service, sendJson } from '../support/service.ts'
import { until } from '../support/until.ts'

// Some tests start commands.
vi.setConfig({ testTimeout: 120_000 })

const card = (id: string, effect: string, method: string) => `
id: ${id}
version: 1.0.0
description: Test.
effect: ${effect}
input: { type: object, required: [name], properties: { name: { type: string } } }
output: { type: object, required: [blob], properties: { blob: { type: string, pattern: "^z*$" } } }
prefer: [rest]
routes:
  rest: { method: ${method}, path: "/{name}", result: "{blob: body.blob}" }
`

let service: Service
let gateway: TestGateway
let pack: string
let client: Client
const lines: Readonly<Record<string, unknown>>[] = []
let hold: Promise<void> | null = null
beforeAll(async () => {
  service = await openService(async (_request, response) => {
    await hold
    // Nobody may cut it, because of its pattern.
    sendJson(response, { blob: 'z'.repeat(12_000) })
  })
  pack = await mkdtemp(join(tmpdir(), 'sb-pack-'))
  const files = {
    'upstream.yaml': `{ id: things, credential: { env: [T], required: false }, rest: { base_url: "${service.url}" } }`,
    'part.view.yaml': card('part.view', 'read', 'GET'),
    'part.change.yaml': card('part.change', 'write', 'POST'),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(pack, name), text)
  gateway = await startTestGateway({
    settings: { packs: [], capabilities: [pack] },
    onLog: line => lines.push(line),
  })
  client = new Client({ name: 'tester', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp?tools=all`)))
})
afterAll(async () => {
  await client.close()
  await gateway[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  await rm(pack, { recursive: true })
})
beforeEach(() => {
  hold = null
})

const SMALL = 300
const LARGE = 9000

interface Asked {
  readonly budget: number
  readonly id?: 'part.view' | 'part.change'
  readonly name: string
  readonly key?: string
  readonly maxAge?: number
}

/** What a caller sees of an answer. */
interface Seen {
  readonly ok: boolean
  readonly code: string | null
  readonly id: string
}

/** Makes the calls, all at once, and returns their answers. */
type Door = (...asked: Asked[]) => Promise<Seen[]>

// oxlint-disable-next-line typescript/no-explicit-any -- the answer of any door
const seen = ({ ok, error, meta }: any): Seen => ({
  ok,
  code: error?.code ?? null,
  id: meta.request_id,
})

const optionsOf = ({ budget, key, maxAge }: Asked) => ({
  token_budget: budget,
  ...(key === undefined ? {} : { idempotency_key: key }),
  ...(maxAge === undefined ? {} : { max_age_ms: maxAge }),
})

async function callByHttp({ id = 'part.view', name, budget, key, maxAge }: Asked): Promise<Seen> {
  const age = maxAge === undefined ? {} : { max_age_ms: String(maxAge) }
  const { body, status } = await gateway.call(
    id,
    { name },
    {
      query: { token_budget: String(budget), ...age },
      headers: key === undefined ? {} : { 'idempotency-key': key },
    },
  )
  expect(status).toBe(body.ok ? 200 : 413)
  return seen(body)
}

async function callByMcp(asked: Asked): Promise<Seen> {
  const { id = 'part.view', name } = asked
  const correlation_id = randomUUID()
  const result = await client.callTool({
    name: id.replace('.', '_'),
    arguments: { name, ...optionsOf(asked) },
    _meta: { 'signalbox/correlation_id': correlation_id },
  })
  const [{ text = '' } = {}] = result.content as { text?: string }[]
  const { ok, error } = JSON.parse(text)
  expect(result.isError ?? false).toBe(!ok)
  const { items } = await gateway.engine.journal.requests({ correlation_id }, { limit: 1 })
  return { ok, code: error?.code ?? null, id: items[0]?.request_id ?? '' }
}

async function callByBatch(...asked: Asked[]): Promise<Seen[]> {
  const calls = asked.map(one => ({
    capability: one.id ?? 'part.view',
    input: { name: one.name },
    ...optionsOf(one),
  }))
  const { results } = await sendBatch(gateway, { calls })
  expect(results.map(one => one.http_status)).toEqual(results.map(one => (one.ok ? 200 : 413)))
  return results.map(({ envelope }) => seen(envelope))
}

const DOORS: readonly (readonly [string, Door])[] = [
  ['HTTP', async (...asked) => await Promise.all(asked.map(callByHttp))],
  ['a batch', callByBatch],
  ['MCP', async (...asked) => await Promise.all(asked.map(callByMcp))],
]

const recordOf = async (id: string) =>
  (await until(
    () => gateway.engine.journal.request(id),
    found => found !== null,
  )) as RequestDetail

type Way = (door: Door, name: string) => Promise<Seen[]>

/** Makes a call with a small budget, and then three more, of which the second has a large one. */
const again =
  (more: (name: string) => Partial<Asked>): Way =>
  async (door, name) => {
    const asked = { name, ...more(name) }
    await door({ ...asked, budget: SMALL })
    const answers: Seen[] = []
    for (const budget of [SMALL, LARGE, SMALL]) answers.push(...(await door({ ...asked, budget })))
    return answers
  }

/** The ways to an answer. The reason is that of the last one. */
const WAYS: readonly (readonly [string, RequestDetail['reason'], Way])[] = [
  ['its own', 'CARD_PREFERRED', again(() => ({}))],
  [
    'an idempotent replay',
    'IDEMPOTENT_REPLAY',
    again(name => ({ id: 'part.change', key: name.replaceAll(' ', '-') })),
  ],
  ['kept', 'CACHE_HIT', again(() => ({ maxAge: 60_000 }))],
  [
    'shared',
    'COALESCED',
    async (door, name) => {
      const gate = Promise.withResolvers<void>()
      hold = gate.promise
      const idle = gateway.engine.journal.running()
      const before = service.received.length
      const answers = door(...[SMALL, LARGE, SMALL].map(budget => ({ name, budget })))
      await until(
        () => [service.received.length, gateway.engine.journal.running()] as const,
        ([received, running]) => received > before && running === idle + 3,
      )
      gate.resolve()
      return await answers
    },
  ],
]

describe.each(WAYS)('an answer that is %s', (way, reason, take) => {
  test.each(DOORS)('is recorded as its caller got it by %s', async (at, door) => {
    const answers = await take(door, `${way} by ${at}`)
    expect(answers.map(({ code }) => code)).toEqual(['TOO_LARGE', null, 'TOO_LARGE'])
    const records = await Promise.all(answers.map(({ id }) => recordOf(id)))
    for (const [n, { ok, code }] of answers.entries()) {
      expect(records[n]).toMatchObject({
        ok,
        code,
        http_status: ok ? 200 : 413,
        route_used: 'rest',
      })
      expect(records[n]?.error).toEqual(ok ? null : expect.objectContaining({ code }))
      const attempts = records[n]?.meta?.attempts.map(({ status }) => status)
      expect(attempts).toEqual(reason === 'CACHE_HIT' ? [] : ['success'])
    }
    const reasons = records.map(record => record.reason)
    // Which of calls at once comes first is chance.
    expect(reasons.filter(one => one === reason)).toHaveLength(reason === 'COALESCED' ? 2 : 3)
  })
})

describe('an answer that is too large for its caller', () => {
  test('counts in metrics and in the log as it was answered', async () => {
    lines.length = 0
    const { id } = await callByHttp({ name: 'counted', budget: SMALL })
    await until(
      () => lines.filter(line => line.request_id === id || line.reqId === id),
      found => found.length > 0,
    )
    const codes = lines.flatMap(line => ('code' in line ? [line.code] : []))
    expect(codes).toEqual(['TOO_LARGE'])
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    expect(metrics).toMatch(
      /signalbox_requests_total\{capability="part.view",code="TOO_LARGE",route="rest"\} \d/,
    )
  })

  test('replays as the success of its route that it was', async () => {
    const { id } = await callByHttp({ name: 'again', budget: SMALL })
    const fixture = toFixture(await recordOf(id))
    expect(fixture.result).toMatchObject({ ok: true, code: null, route_used: 'rest' })
    expect(await replay(gateway.engine, fixture)).toMatchObject({ same: true })
  })

  test('tells of a change that it was made', async () => {
    const { id } = await callByHttp({ name: 'made', budget: SMALL, id: 'part.change' })
    expect(await recordOf(id)).toMatchObject({ code: 'TOO_LARGE', write_outcome: 'applied' })
  })

  /** What the journal of commands has, the newest first. */
  async function recordedBy(name: string, use: (journal: string) => Promise<void>) {
    const directory = await mkdtemp(join(tmpdir(), 'sb-call-'))
    await use(join(directory, 'journal.sqlite'))
    const file = join(directory, name)
    const { stdout } = await runHere(['requests', '--journal', file, '--json'])
    await rm(directory, { recursive: true })
    const rows = JSON.parse(stdout) as RequestDetail[]
    return rows.map(({ ok, code, http_status }) => [ok, code, http_status])
  }

  test('is recorded so by the command `call`, also when an Idempotency-Key comes again', async () => {
    const args = ['call', 'part.change', 'name=command', '--idempotency-key', 'command']
    const codes: unknown[] = []
    // Only a serving gateway writes to the journal itself.
    const rows = await recordedBy('calls.sqlite', async file => {
      const env = { SIGNALBOX_JOURNAL: file, SIGNALBOX_CAPABILITIES: pack }
      // This dialect has a budget of its own.
      for (const profile of ['budgeted', 'default', 'budgeted']) {
        const { code, stdout } = await runHere([...args, '--profile', profile], env)
        codes.push(code)
        expect(JSON.parse(stdout).ok).toBe(profile === 'default')
      }
    })
    expect(codes).toEqual([1, 0, 1])
    expect(rows).toEqual([
      [false, 'TOO_LARGE', 413],
      [true, null, 200],
      [false, 'TOO_LARGE', 413],
    ])
  })

  test('is recorded so by the command `mcp`', async () => {
    const rows = await recordedBy('journal.sqlite', async file => {
      const env = { SIGNALBOX_JOURNAL: file, SIGNALBOX_CAPABILITIES: pack }
      const args = ['--token-budget', String(SMALL), '--tools', 'all']
      let close = async () => {}
      const keep = (end: typeof close) => {
        close = end
      }
      const stdio = await openMcpStdio(service.url, args, keep, env)
      const { isError } = await stdio.callTool({ name: 'part_view', arguments: { name: 'stdio' } })
      expect(isError).toBe(true)
      await close()
    })
    expect(rows).toEqual([[false, 'TOO_LARGE', 413]])
  })
})
