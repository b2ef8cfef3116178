import { Type } from '@sinclair/typebox'
import { withoutOptionalNulls } from '../../src/cards/optional-nulls.ts'
import { compileInput } from '../../src/cards/validate.ts'
import { createIdFactory } from '../../src/lib/request-id.ts'
import type { Answer, Meta } from '../../src/model/envelope.ts'
import type { ProfileName } from '../../src/model/profile-name.ts'
import type { SharedOptions } from './batch-calls.ts'
import { BatchBody } from './batch-schema.ts'
import { callOptions } from './call-options.ts'
import { explainBatch, makeBatch } from './make-batch.ts'
import { presentationAt } from './mcp-call.ts'
import { BatchInput } from './mcp-own-tools.ts'
import type { McpClient, McpParts, ToolUse } from './mcp-parts.ts'
import { refuseBatch } from './refuse-batch.ts'

const parseBatch = compileInput(
  'batch',
  Type.Object(
    {
      ...BatchBody.properties,
      timeout_ms: callOptions.timeout_ms,
      explain: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
)
type Batch = BatchBody & { readonly timeout_ms?: number; readonly explain?: boolean }

const createId = createIdFactory()

/** How the tool writes its answer. */
interface BatchWriter {
  readonly metaNow: () => Meta
  readonly write: (answer: Answer) => string
}

/** The answer, and the budget that it has to fit if it is a failure. */
interface Answered {
  readonly answer: Answer
  readonly tokenBudget: number | null
  /** @default that of the answer around those of the calls */
  readonly profile?: ProfileName
}

/**
 * Runs the calls of a batch, like `POST /v1/batch`, or only says what they would do.
 * @throws {GatewayError} VALIDATION, before anything is sent, for a batch that is faulty as a whole
 */
export async function runBatch(
  parts: McpParts,
  client: McpClient,
  use: ToolUse,
  { metaNow, write }: BatchWriter,
): Promise<Answered> {
  const args = withoutOptionalNulls(use.args, BatchInput)
  const { timeout_ms, explain, ...body } = parseBatch(args) as Batch
  const { presentation } = client.defaults()
  const asked = {
    body,
    shared: sharedBy(client),
    presentation: presentationAt(parts, client, use, presentation),
    metaNow,
    write,
  }
  if (explain === true) {
    const data = await explainBatch(parts.calls, parts, asked)
    const envelope = { ok: true, data, error: null, meta: metaNow() } as const
    return { answer: { envelope, status: 200 }, tokenBudget: null }
  }
  const batch = { id: createId() }
  const refusal = parts.admission()
  if (refusal) {
    const answer = await refuseBatch(parts.calls, parts, asked, batch, refusal)
    return { answer, tokenBudget: null, profile: presentation.profile }
  }
  const answer = await makeBatch(parts.calls, parts, asked, {
    batch,
    signal: use.signal,
    onSent: use.onSent,
    ...(timeout_ms === undefined ? {} : { timeoutMs: timeout_ms }),
  })
  return { answer, tokenBudget: answer.envelope.ok ? null : (body.token_budget ?? null) }
}

function sharedBy(client: McpClient): SharedOptions {
  const { caller, correlationId, traceparent } = client
  const { upstreamToken, cacheControl } = client.defaults()
  return {
    caller,
    leavesOutNulls: true,
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(upstreamToken === null ? {} : { upstreamToken }),
    cacheControl,
  }
}
