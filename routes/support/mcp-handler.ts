import {
  type CallToolResult,
  createMcpHandler,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { compileInput } from '../../src/cards/validate.ts'
import type { Engine } from '../../src/engine.ts'
import { GatewayError } from '../../src/errors.ts'
import { execute } from '../../src/execute.ts'
import { chooseLanguage } from '../../src/hints/registry.ts'
import { type Presentation, renderAnswer } from '../../src/render.ts'
import type { Signal } from '../../src/signal.ts'
import { version } from '../../src/version.ts'
import { failure } from './answer.ts'
import { CallOptions, toRequestOptions } from './call-options.ts'
import { cardOf, chosenCards, describeTool, HINTS_TOOL } from './mcp-tools.ts'
import { readPresentation } from './presentation.ts'
import { readUpstreamToken } from './upstream-token.ts'

const INSTRUCTIONS = `Each tool is a capability of an upstream service such as GitHub. Signalbox chooses the route and falls back by itself: do not repeat a failed call unless error.next says so.
Answers are envelopes {ok, data, error, meta}. When ok is false, do what error.next says; get_hints explains error.hint_id. A change whose error.write_outcome is "unknown" may have happened: verify before doing it again.
Optional _meta of a call: signalbox/idempotency_key (makes a change happen once), signalbox/route, signalbox/timeout_ms, signalbox/token_budget, signalbox/fields.`

/** A handler makes a server for each request: there are no sessions, so any gateway can answer any of them. */
export function createHandler(engine: Engine): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => createServer(engine, authInfo?.extra?.request as FastifyRequest),
    { onerror: () => {} },
  )
}

function createServer(engine: Engine, request: FastifyRequest): Server {
  const server = new Server(
    { name: 'signalbox', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler('tools/list', () => {
    const { capabilities = null } = request.query as { capabilities?: string | string[] }
    const cards = chosenCards(engine.catalog, capabilities === null ? null : [capabilities].flat())
    return { tools: [...cards.map(describeTool), HINTS_TOOL] }
  })
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name, arguments: input = {} } = params
    if (name === HINTS_TOOL.name) return tellHints(engine, request, input)
    return await callTool(engine, request, { name, input, meta: mcpReq._meta ?? {} }, mcpReq.signal)
  })
  return server
}

interface ToolCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
}

async function callTool(
  engine: Engine,
  request: FastifyRequest,
  { name, input, meta }: ToolCall,
  signal: Signal,
): Promise<CallToolResult> {
  const card = cardOf(engine.catalog, name)
  if (!card) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no tool "${name}". tools/list has them all.`,
    )
  }
  try {
    const options = readOptions(meta)
    const { token_budget, fields } = options
    const token = readUpstreamToken(request.headers['x-upstream-authorization'])
    const asked = readPresentation(request)
    const presentation = {
      ...asked,
      ...(token_budget === undefined ? {} : { tokenBudget: token_budget }),
      ...(fields === undefined ? {} : { fields }),
    }
    const answer = await execute(engine, {
      capability: card.id,
      input,
      caller: request.caller,
      signal,
      ...toRequestOptions(options),
      ...(token === null ? {} : { upstreamToken: token }),
      ...(presentation.fields === null ? {} : { fields: presentation.fields }),
    })
    return told(engine, answer, presentation)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return told(engine, failure(request, error), {
      ...readPresentation({ query: {}, headers: {} }),
    })
  }
}

function told(
  engine: Engine,
  answer: Parameters<typeof renderAnswer>[1],
  presentation: Presentation,
): CallToolResult {
  const { body, envelope } = renderAnswer(engine, answer, presentation)
  return { content: [{ type: 'text', text: body }], isError: !envelope.ok }
}

function tellHints(
  { hints }: Engine,
  { headers }: FastifyRequest,
  { ids }: Readonly<Record<string, unknown>>,
): CallToolResult {
  const wanted = Array.isArray(ids) ? ids.slice(0, 100).map(String) : null
  const found = hints.find(wanted, chooseLanguage(headers['accept-language']))
  return { content: [{ type: 'text', text: JSON.stringify(found) }] }
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
