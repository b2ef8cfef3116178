import { type Static, Type } from '@sinclair/typebox'
import { checkWords } from '../../src/model/call-words.ts'
import type { ExecuteRequest } from '../../src/model/execute-request.ts'
import { MOST_MEMORY_MS, memoryOf } from '../../src/model/memory.ts'
import { MEMBER_NAMES, type OptionNames } from '../../src/model/option-names.ts'
import { RouteName } from '../../src/model/schema-parts.ts'
import { BUDGET_LIMITS } from '../../src/render/budget/budget.ts'

/** The options of a call that arrives as JSON, in a batch or over MCP. */
export const callOptions = {
  route: Type.Optional(RouteName),
  timeout_ms: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 9_999_999, description: 'Deadline, milliseconds.' }),
  ),
  idempotency_key: Type.Optional(
    Type.String({
      description: 'Makes a write happen at most once, however often the call is repeated.',
    }),
  ),
  approval: Type.Optional(
    Type.String({ description: 'The id of the approval that a person has given for the call.' }),
  ),
  reason: Type.Optional(
    Type.String({ description: 'Your reason for the call, for the person who has to approve it.' }),
  ),
  correlation_id: Type.Optional(
    Type.String({ description: "The caller's own id for the call; kept in the journal." }),
  ),
  token_budget: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 999_999_999,
      description: `The most tokens the envelope may take, ${BUDGET_LIMITS.min} to ${BUDGET_LIMITS.max}.`,
    }),
  ),
  tokenBudget: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 999_999_999,
      description: 'Another name of token_budget.',
    }),
  ),
  max_age_ms: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MOST_MEMORY_MS,
      description: 'For reads: take an answer from memory that is younger than this.',
    }),
  ),
  stale_if_error_ms: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MOST_MEMORY_MS,
      description:
        'For reads: if every route fails, take an answer that is older than max_age_ms by less than this.',
    }),
  ),
  fields: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description:
        'Members of data to return, dotted and comma-separated: items.number,items.title.',
    }),
  ),
}

export const CallOptions = Type.Object(callOptions, { additionalProperties: false })
export type CallOptions = Static<typeof CallOptions>

/** The budget of a call, under either of its names. */
export function budgetOf({
  tokenBudget,
  token_budget = tokenBudget,
}: Pick<CallOptions, 'token_budget' | 'tokenBudget'>): { readonly tokenBudget?: number } {
  return token_budget === undefined ? {} : { tokenBudget: token_budget }
}

/**
 * The options of a call, as the pipeline takes them.
 * @param cacheControl the header of the request that carries the call
 * @param names what the caller calls the options
 * @throws {GatewayError} VALIDATION for a malformed key, id, reason or Cache-Control.
 */
export function toRequestOptions(
  options: CallOptions,
  cacheControl?: string,
  names: OptionNames = MEMBER_NAMES,
): Partial<ExecuteRequest> {
  const { route, timeout_ms } = options
  const memory = memoryOf(options, cacheControl)
  return {
    ...(memory === undefined ? {} : { memory }),
    ...(route === undefined ? {} : { route }),
    ...(timeout_ms === undefined ? {} : { timeoutMs: timeout_ms }),
    ...checkWords(
      {
        idempotencyKey: options.idempotency_key,
        correlationId: options.correlation_id,
        approval: options.approval,
        reason: options.reason,
      },
      names,
    ),
  }
}
