import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import { execute } from '../../src/call/execute.ts'
import { refuse } from '../../src/call/refuse.ts'
import { compileInput } from '../../src/cards/validate.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Language } from '../../src/hints/registry.ts'
import type { Signal } from '../../src/lib/signal.ts'
import { version } from '../../src/lib/version.ts'
import type { Caller } from '../../src/model/caller.ts'
import type { Card } from '../../src/model/card.ts'
import type { Answer } from '../../src/model/envelope.ts'
import { GatewayError } from '../../src/model/errors.ts'
import { PLAIN, type Presentation, renderAnswer } from '../../src/render/render.ts'
import { CallOptions, toRequestOptions } from './call-options.ts'
import { cardOf, chosenCards, describeTool, HINTS_TOOL } from './mcp-tools.ts'

const INSTRUCTIONS = `Each tool is a capability of an upstream service such as GitHub. Signalbox chooses the route and falls back by itself: do not repeat a failed call unless error.next says so.
Answers are envelopes {ok, data, error, meta}. When ok is false, do what error.next says; get_hints explains error.hint_id. A change whose error.write_outcome is "unknown" may have happened: verify before doing it again.
Optional _meta of a call: signalbox/idempotency_key (makes a change happen once), signalbox/route, signalbox/timeout_ms, signalbox/token_budget, signalbox/fields.`

/** The party that a server speaks with, whatever carries the messages. */
export interface McpClient {
  readonly caller: Caller
  /** The capabilities that it wants as tools, `repo.*,issue.view`; null for all. */
  readonly wanted: readonly string[] | null
  readonly language: Language
  /**
   * What it has said beforehand of every call.
   * @throws {GatewayError} VALIDATION when that cannot be used; it is told with each call.
   */
  readonly defaults: () => {
    readonly presentation: Presentation
    /** Members of `data`, comma-separated; null for all. */
    readonly fields: string | null
    /** Its own token for the upstream. */
    readonly upstreamToken: string | null
  }
  /** Told of each call that is made. */
  readonly onCall?: (call: Promise<unknown>) => void
}

/** The capabilities as tools. */
export function createServer(engine: Engine, client: McpClient): Server {
  const server = new Server(
    { name: 'signalbox', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler('tools/list', () => {
    const cards = chosenCards(engine.catalog, client.wanted)
    return { tools: [...cards.map(describeTool), HINTS_TOOL] }
  })
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name, arguments: input = {} } = params
    if (name === HINTS_TOOL.name) return tellHints(engine, client, input)
    const tool = { card: findTool(engine, name), input, meta: mcpReq._meta ?? {} }
    const call = callTool(engine, client, tool, mcpReq.signal)
    client.onCall?.(call)
    const { answer, presentation } = await call
    const host = presentation.host ?? hostOf(mcpReq.envelope ?? {}, server)
    const { body, envelope } = renderAnswer(engine, answer, { ...presentation, host })
    return { content: [{ type: 'text', text: body }], isError: !envelope.ok }
  })
  return server
}

/** By its own account: told with each request since the protocol of 2026, at the beginning before. */
function hostOf(told: Readonly<Record<string, unknown>>, server: Server): string | null {
  const client = (told[CLIENT_INFO_META_KEY] ?? server.getClientVersion()) as
    | { readonly name: string; readonly version: string }
    | undefined
  return client === undefined ? null : `${client.name}/${client.version}`
}

interface ToolCall {
  readonly card: Card
  readonly input: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
}

/** Runs a call. What is wrong with the way in which it was made is told as its answer, too. */
async function callTool(
  engine: Engine,
  client: McpClient,
  { card, input, meta }: ToolCall,
  signal: Signal,
): Promise<{ readonly answer: Answer; readonly presentation: Presentation }> {
  const request = { capability: card.id, input, caller: client.caller, signal }
  try {
    const { token_budget, fields: own, ...options } = readOptions(meta)
    const { presentation: asked, upstreamToken, fields: usual } = client.defaults()
    const fields = own ?? usual
    const presentation = {
      ...asked,
      ...(token_budget === undefined ? {} : { tokenBudget: token_budget }),
    }
    const answer = await execute(engine, {
      ...request,
      ...toRequestOptions(options),
      ...(upstreamToken === null ? {} : { upstreamToken }),
      ...(fields === null ? {} : { fields }),
    })
    return { answer, presentation }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { answer: await refuse(engine, request, error), presentation: PLAIN }
  }
}

function findTool({ catalog }: Engine, name: string): Card {
  const card = cardOf(catalog, name)
  if (card) return card
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool "${name}". tools/list has them all.`,
  )
}

function tellHints(
  { hints }: Engine,
  { language }: McpClient,
  { ids }: Readonly<Record<string, unknown>>,
): CallToolResult {
  const wanted = Array.isArray(ids) ? ids.slice(0, 100).map(String) : null
  return { content: [{ type: 'text', text: JSON.stringify(hints.find(wanted, language)) }] }
}

/** The members of `_meta` that are ours; other parties put theirs beside them. */
const PREFIX = 'signalbox/'

const parseOptions = compileInput('_meta', CallOptions)

function readOptions(meta: Readonly<Record<string, unknown>>): CallOptions {
  const own = Object.entries(meta).filter(([name]) => name.startsWith(PREFIX))
  return parseOptions(
    Object.fromEntries(own.map(([name, value]) => [name.slice(PREFIX.length), value])),
  ) as CallOptions
}
