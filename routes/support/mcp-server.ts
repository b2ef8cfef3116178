import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  Server,
} from '@modelcontextprotocol/server'
import { parseJson } from '../../src/lib/exact-json.ts'
import { createIdFactory } from '../../src/lib/request-id.ts'
import { version } from '../../src/lib/version.ts'
import type { Answer, Meta } from '../../src/model/envelope.ts'
import { GatewayError } from '../../src/model/errors.ts'
import { describeGatewayError, failedAnswer } from '../../src/model/failed-envelope.ts'
import { BRIEF, type Presentation } from '../../src/render/render.ts'
import { runBatch } from './mcp-batch.ts'
import { callCard, callNamed, present, refuseCall } from './mcp-call.ts'
import { elicitationOf } from './mcp-elicit.ts'
import { instructionsFor } from './mcp-instructions.ts'
import { describe, findHints, type LookUp, search } from './mcp-look-up.ts'
import { outerProfile } from './mcp-output.ts'
import type { McpClient, McpParts, ToolAnswer, ToolUse } from './mcp-parts.ts'
import { cardOf, listTools } from './mcp-tools.ts'
import { unknownTool } from './mcp-unknown.ts'
import { ownMeta } from './own-meta.ts'

/** Serves the capabilities as tools. */
export function createServer(parts: McpParts, client: McpClient): Server {
  const server = new Server(
    { name: 'signalbox', version },
    { capabilities: { tools: {} }, instructions: instructionsFor(client) },
  )
  server.setRequestHandler('tools/list', () => {
    const { profile } = presentationOf(client)
    return { tools: [...listTools(parts.catalog, client, client.structured ? profile : null)] }
  })
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const call = useTool(parts, client, {
      name: params.name,
      startedAt: performance.now(),
      args: params.arguments ?? {},
      meta: mcpReq._meta ?? {},
      signal: mcpReq.signal,
      onSent: release => client.onSent(mcpReq, release),
      elicitation: elicitationOf(server, mcpReq),
      host: hostOf(mcpReq.envelope ?? {}, server),
    })
    client.onCall?.(call)
    return toResult(await call, client.structured)
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

/** Clients that check a result against its schema need its value beside the text. */
function toResult(
  { text, ok, question, notes = [] }: ToolAnswer,
  structured: boolean,
): CallToolResult | InputRequiredResult {
  if (question) return question
  const content = [text, ...notes].map(one => ({ type: 'text' as const, text: one }))
  const plain: CallToolResult = { content, isError: !ok }
  if (!structured) return plain
  return { ...plain, structuredContent: parseJson(text) as Record<string, unknown> }
}

type Run = (parts: McpParts, client: McpClient, use: ToolUse) => Promise<ToolAnswer>

/** The tools of every connection. */
const COMMON: Readonly<Record<string, Run>> = { batch: answerBatch, get_hints: answerHints }

/** Besides those, the tools of a connection that lists no capability. */
const SEARCHING: Readonly<Record<string, Run>> = {
  search: lookUp(search),
  describe: lookUp(describe),
  call: callNamed,
}

async function useTool(parts: McpParts, client: McpClient, use: ToolUse): Promise<ToolAnswer> {
  const { name } = use
  const own = client.way === 'search' ? { ...COMMON, ...SEARCHING } : COMMON
  if (Object.hasOwn(own, name)) return await (own[name] as Run)(parts, client, use)
  const card = cardOf(parts.catalog, client, name)
  if (card && client.way === 'list') return await callCard(parts, client, card, use)
  return await refuseCall(parts, client, use, unknownTool(parts, client, name))
}

function lookUp(run: LookUp): Run {
  return async (parts, client, use) => {
    try {
      const refuse = (error: GatewayError, wanted: string) => {
        const facts = describeGatewayError(error, null)
        const answer = failedAnswer(facts, metaOf(client, use), error.status)
        parts.onRefused(answer, client.caller.name, wanted)
      }
      return { text: JSON.stringify(run(parts, client, use, refuse)), ok: true }
    } catch (error) {
      return fail(parts, client, use, error)
    }
  }
}

async function answerBatch(parts: McpParts, client: McpClient, use: ToolUse): Promise<ToolAnswer> {
  try {
    const presentation = outerPresentation(client)
    const { answer, ...how } = await runBatch(parts, client, use, {
      metaNow: () => metaOf(client, use),
      write: whole => present(parts, client, use, whole, presentation).text,
    })
    return present(parts, client, use, answer, { ...presentation, ...how })
  } catch (error) {
    const record = (answer: Answer) =>
      parts.calls.recordRefusal({
        caller: client.caller.name,
        capability: null,
        traceparent: null,
        answer,
      })
    return fail(parts, client, use, error, record)
  }
}

async function answerHints(parts: McpParts, client: McpClient, use: ToolUse): Promise<ToolAnswer> {
  try {
    return succeed(parts, client, use, findHints(parts, client, use))
  } catch (error) {
    return fail(parts, client, use, error)
  }
}

/** Answers with the result of a tool of the gateway itself. */
function succeed(parts: McpParts, client: McpClient, use: ToolUse, data: unknown): ToolAnswer {
  const envelope = { ok: true, data, error: null, meta: metaOf(client, use) } as const
  return present(parts, client, use, { envelope, status: 200 }, outerPresentation(client))
}

function outerPresentation(client: McpClient): Presentation {
  return { ...BRIEF, profile: outerProfile(client.defaults().presentation.profile) }
}

/** Answers a use of a tool that reaches no capability. */
async function fail(
  parts: McpParts,
  client: McpClient,
  use: ToolUse,
  error: unknown,
  record?: (answer: Answer) => Promise<void>,
): Promise<ToolAnswer> {
  if (!(error instanceof GatewayError)) throw error
  const meta = metaOf(client, use, error.code === 'VALIDATION' ? 'INPUT_VALIDATION' : null)
  const answer = failedAnswer(describeGatewayError(error, null), meta, error.status)
  await record?.(answer)
  return present(parts, client, use, answer, presentationOf(client))
}

/** The dialect of the client, unless just that is the fault. */
function presentationOf(client: McpClient): Presentation {
  try {
    return client.defaults().presentation
  } catch {
    return BRIEF
  }
}

const createId = createIdFactory()

function metaOf(
  { correlationId }: McpClient,
  { startedAt }: ToolUse,
  reason: Meta['reason'] = null,
): Meta {
  return ownMeta({ id: createId(), correlationId, startedAt }, reason)
}
