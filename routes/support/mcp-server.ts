import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  Server,
} from '@modelcontextprotocol/server'
import type { Calls } from '../../src/call/calls.ts'
import type { Catalog } from '../../src/cards/catalog.ts'
import { compileInput } from '../../src/cards/validate.ts'
import type { Hints, Language } from '../../src/hints/registry.ts'
import type { Signal } from '../../src/lib/signal.ts'
import { version } from '../../src/lib/version.ts'
import type { Caller } from '../../src/model/caller.ts'
import type { Card } from '../../src/model/card.ts'
import type { Answer } from '../../src/model/envelope.ts'
import { GatewayError } from '../../src/model/errors.ts'
import { PLAIN, type Presentation, renderAnswer } from '../../src/render/render.ts'
import { budgetOf, CallOptions, toRequestOptions } from './call-options.ts'
import { cardOf, chosenCards, describeTool, doorOf, HINTS_TOOL } from './mcp-tools.ts'

const INSTRUCTIONS = `Each tool is a capability of an upstream service such as GitHub. Signalbox chooses the route and falls back by itself: do not repeat a failed call unless error.next says so.
Answers are envelopes {ok, data, error, meta}. When ok is false, do what error.next says (its tool is the name to call); get_hints explains error.hint_id. A write whose error.write_outcome is "unknown" may have been applied: verify before sending it again.
Optional _meta of a call: signalbox/idempotency_key (makes a write happen at most once), signalbox/route, signalbox/timeout_ms, signalbox/token_budget, signalbox/fields, signalbox/correlation_id (your own id for the call).`

/** The parts of the gateway that tools use. */
export interface McpParts {
  readonly calls: Pick<Calls, 'execute' | 'refuse'>
  readonly catalog: Catalog
  readonly hints: Hints
}

export interface McpMessage {
  readonly id: RequestId
  /** Aborts when the client cancels the message. */
  readonly signal: AbortSignal
}

/** The client at the other end, whatever transport carries the messages. */
export interface McpClient {
  readonly caller: Caller
  /** The capabilities that it may call as tools, such as `repo.*,issue.view`; null for all. */
  readonly wanted: readonly string[] | null
  readonly language: Language
  /** Its own id for its calls, if the transport carries one. */
  readonly correlationId?: string
  /**
   * Options that hold for each of its calls.
   * @throws {GatewayError} VALIDATION when they are invalid; it becomes the answer of each call.
   */
  readonly defaults: () => {
    readonly presentation: Presentation
    /** Members of `data`, comma-separated; null for all. */
    readonly fields: string | null
    /** The client's own token for the upstream. */
    readonly upstreamToken: string | null
  }
  /** Takes what to call when the answer to a message has been sent, or its client no longer wants it. */
  readonly onSent: (message: McpMessage, release: () => void) => void
  /** Called with each call that begins. */
  readonly onCall?: (call: Promise<unknown>) => void
}

/** Serves the capabilities as tools. */
export function createServer(parts: McpParts, client: McpClient): Server {
  const server = new Server(
    { name: 'signalbox', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler('tools/list', () => {
    const cards = chosenCards(parts.catalog, client.wanted)
    return { tools: [...cards.map(describeTool), HINTS_TOOL] }
  })
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name, arguments: input = {} } = params
    if (name === HINTS_TOOL.name) return findHints(parts, client, input)
    const card = findTool(parts.catalog, client, name)
    const onSent = (release: () => void) => client.onSent(mcpReq, release)
    const tool = { card, input, meta: mcpReq._meta ?? {}, signal: mcpReq.signal, onSent }
    const call = callTool(parts.calls, client, tool)
    client.onCall?.(call)
    const { answer, presentation } = await call
    const host = presentation.host ?? hostOf(mcpReq.envelope ?? {}, server)
    const door = doorOf(parts.catalog, client.wanted)
    const { body, envelope } = renderAnswer(parts, answer, { ...presentation, host, door })
    return { content: [{ type: 'text', text: body }], isError: !envelope.ok }
  })
  return server
}

/** Names the client software. Since the protocol of 2026 each request carries it; before, only the handshake did. */
function hostOf(envelope: Readonly<Record<string, unknown>>, server: Server): string | null {
  const client = (envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion()) as
    | { readonly name: string; readonly version: string }
    | undefined
  return client === undefined ? null : `${client.name}/${client.version}`
}

interface ToolCall {
  readonly card: Card
  readonly input: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
  readonly signal: Signal
  readonly onSent: (release: () => void) => void
}

/** Runs a call. Invalid options become its answer too. */
async function callTool(
  calls: McpParts['calls'],
  client: McpClient,
  { card, input, meta, signal, onSent }: ToolCall,
): Promise<{ readonly answer: Answer; readonly presentation: Presentation }> {
  const { caller, correlationId } = client
  const usual = correlationId === undefined ? {} : { correlationId }
  const request = { capability: card.id, input, caller, signal, onSent, ...usual }
  try {
    const { fields: own, ...options } = readOptions(meta)
    const { presentation: preferred, upstreamToken, fields: all } = client.defaults()
    const fields = own ?? all
    const presentation = {
      ...preferred,
      ...budgetOf(options),
    }
    const answer = await calls.execute({
      ...request,
      ...toRequestOptions(options),
      ...(upstreamToken === null ? {} : { upstreamToken }),
      ...(fields === null ? {} : { fields }),
    })
    return { answer, presentation }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { answer: await calls.refuse(request, error), presentation: PLAIN }
  }
}

function findTool(catalog: Catalog, { wanted }: McpClient, name: string): Card {
  const card = cardOf(catalog, name)
  if (card && chosenCards(catalog, wanted).includes(card)) return card
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool "${name}". tools/list lists them all.`,
  )
}

function findHints(
  { hints, catalog }: Pick<McpParts, 'hints' | 'catalog'>,
  { language, wanted }: McpClient,
  { ids }: Readonly<Record<string, unknown>>,
): CallToolResult {
  const named = Array.isArray(ids) ? ids.slice(0, 100).map(String) : null
  const found = hints.find(named, language, doorOf(catalog, wanted))
  return { content: [{ type: 'text', text: JSON.stringify(found) }] }
}

/** Marks our members of `_meta`; other parties add theirs beside them. */
const PREFIX = 'signalbox/'

const parseOptions = compileInput('_meta', CallOptions)

function readOptions(meta: Readonly<Record<string, unknown>>): CallOptions {
  const own = Object.entries(meta).filter(([name]) => name.startsWith(PREFIX))
  return parseOptions(
    Object.fromEntries(own.map(([name, value]) => [name.slice(PREFIX.length), value])),
  ) as CallOptions
}
