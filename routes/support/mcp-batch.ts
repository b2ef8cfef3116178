import { Type } from '@sinclair/typebox'
import { withoutOptionalNulls } from '../../src/cards/optional-nulls.ts'
import { compileInput } from '../../src/cards/validate.ts'
import { createIdFactory } from '../../src/lib/request-id.ts'
import type { Answer, Meta } from '../../src/model/envelope.ts'
import { type Budget, toBudget } from '../../src/render/budget/budget.ts'
import { answerBatch, requireRoom } from './batch-answer.ts'
import { BatchBody, readBatch } from './batch-calls.ts'
import { callOptions } from './call-options.ts'
import { presentationAt } from './mcp-call.ts'
import { BatchInput } from './mcp-own-tools.ts'
import type { McpClient, McpParts, ToolUse } from './mcp-parts.ts'

const parseBatch = compileInput(
  'batch',
  Type.Object(
    { ...BatchBody.properties, timeout_ms: callOptions.timeout_ms },
    { additionalProperties: false },
  ),
)
type Batch = BatchBody & { readonly timeout_ms?: number }

const createId = createIdFactory()

/** How the tool writes its answer. */
interface BatchWriter {
  readonly metaNow: () => Meta
  readonly write: (answer: Answer) => string
}

/**
 * Runs the calls of a batch, like `POST /v1/batch`.
 * @throws {GatewayError} VALIDATION, before anything is sent, for a batch that is faulty as a whole
 */
export async function runBatch(
  parts: McpParts,
  client: McpClient,
  use: ToolUse,
  { metaNow, write }: BatchWriter,
): Promise<{ readonly answer: Answer; readonly budget: Budget | null }> {
  const args = withoutOptionalNulls(use.args, BatchInput)
  const { calls: values, stop_on_error, token_budget, timeout_ms } = parseBatch(args) as Batch
  const budget = token_budget === undefined ? null : toBudget(token_budget)
  const { presentation, upstreamToken, cacheControl } = client.defaults()
  const { caller, correlationId } = client
  const shared = {
    caller,
    leavesOutNulls: true,
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(upstreamToken === null ? {} : { upstreamToken }),
    cacheControl,
  }
  const batched = readBatch(shared, values, presentationAt(parts, client, use, presentation))
  requireRoom(parts, batched, { meta: metaNow(), budget, write })
  const answers = await parts.calls.executeBatch({
    batch: { id: createId() },
    calls: batched,
    stopOnError: stop_on_error ?? false,
    signal: use.signal,
    onSent: use.onSent,
    ...(timeout_ms === undefined ? {} : { timeoutMs: timeout_ms }),
  })
  return {
    answer: answerBatch(parts, batched, answers, { meta: metaNow(), budget, write }),
    budget,
  }
}
