import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import type { RequestRow } from '../../../src/journal/row-schemas.ts'
import { openSqliteReader } from '../../../src/journal/sqlite.ts'
import type { Envelope } from '../../../src/model/envelope.ts'
import type { MemoryOptions } from '../../../src/model/memory.ts'
import type { Route } from '../../../src/model/route.ts'
import { SIGNALBOX } from '../../commands/support/signalbox.ts'
import { startTestGateway, type TestGateway } from '../../support/gateway.ts'

export interface DoorCall {
  readonly capability: string
  readonly input: Readonly<Record<string, unknown>>
  readonly route?: Route
  readonly memory?: MemoryOptions
  readonly correlationId?: string
  /** The caller leaves when it aborts. */
  readonly signal?: AbortSignal
}

/** A way into a gateway of its own, which has a journal of its own. */
export interface Door {
  /** Null if the answer is none: the caller left, or the door answers with an error of its protocol. */
  call(call: DoorCall): Promise<Envelope | null>
  /** Everything that the journal has. The last thing to ask: it may end the gateway. */
  rows(): Promise<readonly RequestRow[]>
}

/** Variables of the gateway, beside those of the door. */
type Env = Readonly<Record<string, string>>
type Open = (pack: string, env?: Env) => Promise<Door>

export const DOORS = {
  HTTP: byHttp(postCall),
  batch: byHttp(postBatch),
  'MCP over HTTP': byHttp(postTool),
  'the tool call of MCP': byHttp(postNamedCall),
  'the tool batch of MCP': byHttp(postBatchTool),
  'MCP over stdio': openStdio,
  'command line': openCommandLine,
} satisfies Record<string, Open>

export const DOOR_NAMES = Object.keys(DOORS) as (keyof typeof DOORS)[]

const LIMIT = { limit: 200 }

type Post = (gateway: TestGateway, call: DoorCall) => Promise<Envelope | null>

function byHttp(post: Post): Open {
  return async (pack, env = {}) => {
    const gateway = await startTestGateway({ settings: { capabilities: [pack] }, env })
    onTestFinished(async () => await gateway[Symbol.asyncDispose]())
    return {
      call: async call => await post(gateway, call).catch(() => null),
      rows: async () => (await gateway.engine.journal.requests({}, LIMIT)).items,
    }
  }
}

function namedOptions({ route, memory }: DoorCall): Readonly<Record<string, unknown>> {
  return { ...(route === undefined ? {} : { route }), ...memory }
}

function metaOptions(options: Readonly<Record<string, unknown>>) {
  const named = Object.entries(options).map(([name, value]) => [`signalbox/${name}`, value])
  return Object.fromEntries(named) as Readonly<Record<string, unknown>>
}

async function postCall(gateway: TestGateway, call: DoorCall): Promise<Envelope> {
  const { capability, input } = call
  const query = new URLSearchParams(namedOptions(call) as Record<string, string>)
  const answer = await send(
    gateway,
    `/v1/capabilities/${capability}?${query.toString()}`,
    input,
    call,
  )
  return JSON.parse(answer) as Envelope
}

async function postBatch(gateway: TestGateway, call: DoorCall): Promise<Envelope | null> {
  const { capability, input } = call
  const calls = [{ capability, input, ...namedOptions(call) }]
  const { data } = JSON.parse(await send(gateway, '/v1/batch', { calls }, call))
  return data.results[0].envelope
}

async function postTool(gateway: TestGateway, call: DoorCall): Promise<Envelope | null> {
  const { capability, input } = call
  const params = { name: capability, arguments: input, _meta: metaOptions(namedOptions(call)) }
  return await postMessage(gateway, '/mcp?tools=all&profile=default', params, call)
}

async function postNamedCall(gateway: TestGateway, call: DoorCall): Promise<Envelope | null> {
  const { capability, input } = call
  const args = { capability, input, ...namedOptions(call) }
  return await postMessage(gateway, '/mcp?profile=default', { name: 'call', arguments: args }, call)
}

async function postBatchTool(gateway: TestGateway, call: DoorCall): Promise<Envelope | null> {
  const { capability, input } = call
  const calls = [{ capability, input, ...namedOptions(call) }]
  const params = { name: 'batch', arguments: { calls } }
  const answer = await postMessage(gateway, '/mcp?profile=default', params, call)
  const data = answer?.data as { results: readonly { envelope: Envelope }[] } | undefined
  return data?.results[0]?.envelope ?? null
}

async function postMessage(
  gateway: TestGateway,
  path: string,
  params: object,
  call: DoorCall,
): Promise<Envelope | null> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const answer = await send(gateway, path, message, call)
  const [, json = '{}'] = /^(?:data: )?(\{.*\})$/m.exec(answer) ?? []
  return envelopeIn(JSON.parse(json).result)
}

async function send(
  { url }: TestGateway,
  path: string,
  body: unknown,
  { correlationId, signal }: DoorCall,
): Promise<string> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(correlationId === undefined ? {} : { 'x-request-id': correlationId }),
    },
    body: JSON.stringify(body),
    signal: signal ?? null,
  })
  return await response.text()
}

function envelopeIn(result: unknown): Envelope | null {
  const { content } = (result ?? {}) as { content?: readonly { text: string }[] }
  return content?.[0] === undefined ? null : (JSON.parse(content[0].text) as Envelope)
}

async function openStdio(pack: string, more?: Env): Promise<Door> {
  const { env, directory } = await surroundings(pack, more)
  const client = new Client({ name: 'tester', version: '1.2.3' })
  const args = [SIGNALBOX, 'mcp', '--tools', 'all', '--profile', 'default']
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
  onTestFinished(() => client.close())
  return {
    call: async ({ capability, input, route, memory, correlationId, signal }) => {
      const meta = metaOptions({
        ...(route === undefined ? {} : { route }),
        ...(correlationId === undefined ? {} : { correlation_id: correlationId }),
      })
      const params = { name: capability, arguments: { ...input, ...memory }, _meta: meta }
      const options = signal === undefined ? {} : { signal }
      return envelopeIn(await client.callTool(params, options).catch(() => null))
    },
    rows: async () => {
      await client.close()
      return await readJournal(join(directory, 'journal.sqlite'))
    },
  }
}

async function openCommandLine(pack: string, more?: Env): Promise<Door> {
  const { env, directory } = await surroundings(pack, more)
  let key = 0
  return {
    call: async ({ capability, input, route, memory = {}, correlationId, signal }) => {
      // Without an Idempotency-Key, the command's journal is in memory.
      const options = ['--idempotency-key', `key-${key++}`]
      if (route !== undefined) options.push('--route', route)
      if (correlationId !== undefined) options.push('--correlation-id', correlationId)
      for (const [name, ms] of Object.entries(memory)) {
        options.push(`--${name.replaceAll('_', '-')}`, String(ms))
      }
      const child = spawn(process.execPath, [SIGNALBOX, 'call', capability, '-', ...options], {
        env,
      })
      signal?.addEventListener('abort', () => child.kill('SIGTERM'))
      child.stdin.end(JSON.stringify(input))
      const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
      return output === '' ? null : (JSON.parse(output) as Envelope)
    },
    rows: async () => await readJournal(join(directory, 'calls.sqlite')),
  }
}

async function surroundings(pack: string, more: Env = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'sb-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const env = {
    PATH: process.env.PATH ?? '',
    SIGNALBOX_CAPABILITIES: pack,
    SIGNALBOX_JOURNAL: join(directory, 'journal.sqlite'),
    ...more,
  }
  return { env, directory }
}

async function readJournal(file: string): Promise<readonly RequestRow[]> {
  if (!existsSync(file)) return []
  const reader = openSqliteReader(file)
  try {
    return (await reader.requests({}, LIMIT)).items
  } finally {
    reader.close()
  }
}
