import type { InputRequiredResult } from '@modelcontextprotocol/server'
import { mayCall } from '../../src/access/permission.ts'
import { compileInput } from '../../src/cards/validate.ts'
import { withoutNulls } from '../../src/lib/without-nulls.ts'
import type { Card } from '../../src/model/card.ts'
import type { Answer } from '../../src/model/envelope.ts'
import { GatewayError } from '../../src/model/errors.ts'
import type { ExecuteRequest } from '../../src/model/execute-request.ts'
import { createFitting, type Fitting } from '../../src/render/fitting.ts'
import { linesOf } from '../../src/render/notes.ts'
import { BRIEF, type Presentation, type Rendered, renderAnswer } from '../../src/render/render.ts'
import { budgetOf, toRequestOptions } from './call-options.ts'
import { askPerson } from './mcp-elicit.ts'
import { namesIn, readOptions, splitOptions } from './mcp-options.ts'
import { CallTarget } from './mcp-own-tools.ts'
import type { McpClient, McpParts, ToolAnswer, ToolUse } from './mcp-parts.ts'
import { doorOf } from './mcp-tools.ts'

interface ToolCall {
  readonly capability: string
  readonly input: unknown
  readonly options: Readonly<Record<string, unknown>>
}

/** Calls the capability of a tool of its own. */
export function callCard(parts: McpParts, client: McpClient, card: Card, use: ToolUse) {
  const own = Object.keys((card.input.properties ?? {}) as object)
  const call = () => ({ capability: card.id, ...splitOptions(use.args, own) })
  return runCall(parts, client, use, card.id, call)
}

const parseTarget = compileInput('call', CallTarget)

/** Calls the capability that the arguments name. */
export function callNamed(parts: McpParts, client: McpClient, use: ToolUse) {
  const { capability } = use.args
  const read = (): ToolCall => {
    const { input: rest, options } = splitOptions(use.args, [])
    const { input = {}, ...named } = parseTarget(withoutNulls(rest)) as CallTarget
    return { ...named, input, options }
  }
  const name = typeof capability === 'string' ? capability.slice(0, 200) : ''
  return runCall(parts, client, use, name, read)
}

/** Answers the use of a tool that calls nothing, and records it as a call of a capability of that name. */
export function refuseCall(
  parts: McpParts,
  client: McpClient,
  use: ToolUse,
  error: GatewayError,
): Promise<ToolAnswer> {
  return runCall(parts, client, use, use.name.slice(0, 200), () => {
    throw error
  })
}

/** Runs a call. Invalid arguments and options become its answer, and the journal records it. */
async function runCall(
  parts: McpParts,
  client: McpClient,
  use: ToolUse,
  capability: string,
  read: () => ToolCall,
): Promise<ToolAnswer> {
  const { caller, correlationId, traceparent } = client
  const { signal, onSent } = use
  const usual = {
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(traceparent === undefined ? {} : { traceparent }),
  }
  const leavesOutNulls = true
  const request = { capability, input: null, leavesOutNulls, caller, signal, onSent, ...usual }
  const fittingOf = (presentation: Presentation) => fittingAt(parts, client, use, presentation)
  let fitting = fittingOf(BRIEF)
  let answer: Answer
  let question: InputRequiredResult | null = null
  try {
    const { presentation } = client.defaults()
    fitting = fittingOf(presentation)
    const call = readCall(client, use, read())
    fitting = fittingOf({ ...presentation, ...call.budget })
    const whole = { ...request, ...call.request, fit: fitting.fit }
    answer = await begin(parts, whole)
    const asked = await askPerson(parts.desk, caller, use.elicitation, answer)
    if (asked?.kind === 'question') question = asked.result
    if (asked?.kind === 'decided') {
      answer = await parts.calls.execute({ ...whole, approval: asked.approval })
    }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    answer = await parts.calls.refuse(request, error)
  }
  const shown = toToolAnswer(fitting.render(answer))
  return question === null ? shown : { ...shown, question }
}

function fittingAt(
  parts: McpParts,
  client: McpClient,
  use: ToolUse,
  presentation: Presentation,
): Fitting {
  const at = presentationAt(parts, client, use, presentation)
  return createFitting(parts, at)
}

async function begin({ calls, admission }: McpParts, request: ExecuteRequest): Promise<Answer> {
  const refusal = admission()
  if (refusal) throw refusal
  return await calls.execute(request)
}

function readCall(
  client: McpClient,
  { meta }: ToolUse,
  { capability, input, options: named }: ToolCall,
): {
  readonly request: Partial<ExecuteRequest>
  readonly budget: ReturnType<typeof budgetOf>
} {
  const { fields: own, ...options } = readOptions(meta, named)
  const { upstreamToken, fields: all, cacheControl } = client.defaults()
  const fields = own ?? all
  const request = {
    capability,
    input,
    ...toRequestOptions(options, cacheControl, namesIn(named)),
    ...(upstreamToken === null ? {} : { upstreamToken }),
    ...(fields === null ? {} : { fields }),
    shown: budgetOf(options),
  }
  return { request, budget: budgetOf(options) }
}

/** Writes an answer as the client wants it. It names only tools that the client has. */
export function present(
  parts: McpParts,
  client: McpClient,
  use: Pick<ToolUse, 'host'>,
  answer: Answer,
  presentation: Presentation,
): ToolAnswer {
  const at = presentationAt(parts, client, use, presentation)
  return toToolAnswer(renderAnswer(parts, answer, at))
}

function toToolAnswer({ body, envelope, unsaid }: Rendered): ToolAnswer {
  return {
    text: body,
    ok: envelope.ok,
    notes: linesOf(unsaid),
  }
}

export function presentationAt(
  { catalog }: Pick<McpParts, 'catalog'>,
  client: McpClient,
  { host }: Pick<ToolUse, 'host'>,
  presentation: Presentation,
): Presentation {
  const { caller, language } = client
  const at = { door: doorOf(catalog, client), mayCall: (card: Card) => mayCall(caller, card) }
  return { ...presentation, language, host: presentation.host ?? host, ...at }
}
