import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { Call, Data, Found, Task } from './task.ts'

/** The cost of a task. */
export interface Effort {
  /** Calls that found out which capabilities there are. */
  readonly searches: number
  /** Calls that did the work. */
  readonly calls: number
  /** Tokens of all that was sent and received. */
  readonly tokens: number
}

export interface Played {
  readonly found: Found
  readonly effort: Effort
}

export type Play = (url: string, task: Task) => Promise<Played>

interface Result {
  readonly id: string
  readonly ok: boolean
  readonly envelope: { readonly data: Data; readonly error: Data }
}

/** Counts what goes over a door. */
export function createMeter() {
  let tokens = 0
  const count = { searches: 0, calls: 0 }
  return {
    count,
    weigh: (...texts: readonly string[]) => {
      tokens += texts.reduce((sum, text) => sum + countTokens(text), 0)
    },
    effort: (): Effort => ({ ...count, tokens }),
  }
}

/** `POST /v1/batch`. */
export const playHttp: Play = async (url, task) => {
  const meter = createMeter()
  const found = await playRounds(task, async calls => {
    const body = JSON.stringify({ calls })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/v1/batch`, { method: 'POST', headers, body })
    const text = await response.text()
    meter.count.calls += 1
    meter.weigh(body, text)
    return (JSON.parse(text) as Data).data.results as readonly Result[]
  })
  return { found, effort: meter.effort() }
}

/** A tool for each capability: one call goes to its tool, several to the tool `batch`. */
export const playAll: Play = async (url, task) =>
  await overMcp(`${url}/mcp?tools=all`, async (use, meter) =>
    playRounds(task, async calls => {
      meter.count.calls += 1
      const [only] = calls
      if (calls.length > 1 || only === undefined)
        return (await use('batch', { calls })).data.results
      const envelope = await use(only.capability.replaceAll('.', '_'), only.input)
      return [{ id: only.id, ok: envelope.ok, envelope }]
    }),
  )

/** Five tools: the client first finds what there is, and then calls it. */
export const playSearch: Play = async (url, task) =>
  await overMcp(`${url}/mcp`, async (use, meter) => {
    const { capabilities } = await use('search', { query: task.words })
    const shown = capabilities as readonly { readonly id: string }[]
    // The results say what a call takes.
    const described = new Set(shown.map(({ id }) => id))
    meter.count.searches += 1
    return await playRounds(task, async calls => {
      const ids = [...new Set(calls.map(({ capability }) => capability))]
      const unknown = ids.filter(id => !described.has(id))
      if (unknown.length > 0) {
        meter.count.searches += 1
        await use('describe', { ids: unknown })
        for (const id of unknown) described.add(id)
      }
      meter.count.calls += 1
      const [only] = calls
      if (calls.length > 1 || only === undefined)
        return (await use('batch', { calls })).data.results
      const { capability, input } = only
      const envelope = await use('call', { capability, input })
      return [{ id: only.id, ok: envelope.ok, envelope }]
    })
  })

type Use = (tool: string, args: object) => Promise<Data>

async function overMcp(
  address: string,
  play: (use: Use, meter: ReturnType<typeof createMeter>) => Promise<Found>,
): Promise<Played> {
  const meter = createMeter()
  const client = new Client({ name: 'tasks', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(address)))
  try {
    const found = await play(async (name, args) => {
      const { content } = await client.callTool({ name, arguments: { ...args } })
      const text = content.map(part => (part.type === 'text' ? part.text : '')).join('')
      meter.weigh(JSON.stringify({ name, arguments: args }), text)
      return JSON.parse(text)
    }, meter)
    return { found, effort: meter.effort() }
  } finally {
    await client.close()
  }
}

async function playRounds(
  { rounds, name }: Task,
  send: (calls: readonly Call[]) => Promise<readonly Result[]>,
): Promise<Found> {
  let found: Found = {}
  for (const round of rounds) {
    const calls = round(found)
    const results = await send(calls)
    const failed = results.find(({ ok }) => !ok)
    if (failed) throw new Error(`${name}: ${failed.id}: ${JSON.stringify(failed.envelope.error)}`)
    const entries = calls.map(({ id, for_each }) => {
      const data = results.filter(result => result.id === id).map(({ envelope }) => envelope.data)
      return [id, for_each === undefined ? data[0] : data] as const
    })
    found = { ...found, ...Object.fromEntries(entries) }
  }
  return found
}
