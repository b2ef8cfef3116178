import { type Static, type TSchema, type TUnknown, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { type BatchedCall, MAX_CALLS } from '../../src/call/batch-run.ts'
import type { BatchedAnswer } from '../../src/call/execute-batch.ts'
import { MAX_CALLER_EXPRESSION } from '../../src/call/references.ts'
import { compileInput } from '../../src/cards/validate.ts'
import { parseJson } from '../../src/lib/exact-json.ts'
import { isObject } from '../../src/lib/is-object.ts'

import { GatewayError } from '../../src/model/errors.ts'
import type { ExecuteRequest } from '../../src/model/execute-request.ts'
import { OneOf } from '../../src/model/one-of.ts'
import { nullable } from '../../src/model/schema-parts.ts'
import { BUDGET_LIMITS } from '../../src/render/budget/budget.ts'
import { findProfile } from '../../src/render/profiles/index.ts'
import type { Presentation, Rendered } from '../../src/render/render.ts'
import { budgetOf, callOptions, toRequestOptions } from './call-options.ts'
import { PresentationQuery } from './presentation.ts'
import { readUpstreamToken } from './upstream-token.ts'

const INPUT =
  'The input of the capability. {"$from": id, "path": JMESPath} stands for a value of the envelope of an earlier call.'

/** One call, as the body of a batch lists it. */
export const BatchCall = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Comes back with the answer. Later calls refer to the call by it.',
      }),
    ),
    capability: Type.String({ maxLength: 200, description: 'For example repo.view.' }),
    input: Type.Optional(Type.Unknown({ description: INPUT })),
    needs: Type.Optional(
      Type.Array(Type.String({ maxLength: 128 }), {
        maxItems: MAX_CALLS,
        description: 'Ids of earlier calls that have to succeed before this one begins.',
      }),
    ),
    for_each: Type.Optional(
      Type.Object(
        {
          $from: Type.String({ maxLength: 128, description: 'The id of an earlier call.' }),
          path: Type.Optional(
            Type.String({
              maxLength: MAX_CALLER_EXPRESSION,
              description: 'JMESPath over its whole envelope, for example data.items.',
            }),
          ),
        },
        {
          additionalProperties: false,
          description:
            'Makes a call for each item of a list that an earlier call returned. Its input reads the item with {"$item": JMESPath}.',
        },
      ),
    ),
    ...callOptions,
    profile: PresentationQuery.profile,
  },
  { additionalProperties: false },
)
type BatchCall = Static<typeof BatchCall>

/** The calls are validated one by one, so that an invalid call does not fail the others. */
export const BatchBody = Type.Object(
  {
    calls: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_CALLS }),
    stop_on_error: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Begins no further call once one has failed.',
      }),
    ),
    token_budget: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999_999_999,
        description: `The most tokens the whole answer may take, ${BUDGET_LIMITS.min} to ${BUDGET_LIMITS.max}.`,
      }),
    ),
  },
  { additionalProperties: false },
)
export type BatchBody = Static<typeof BatchBody>

/** `data` of the answer to a batch. @param envelope the schema of an answer in any dialect */
export const BatchResults = <T extends TSchema>(envelope: T) =>
  Type.Object({
    status: OneOf(['success', 'partial', 'failed'], 'All, some or none of the calls are ok.'),
    total: Type.Integer({ minimum: 0 }),
    succeeded: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    results: Type.Array(
      Type.Object({
        id: nullable(Type.String({ description: 'The id that the call gave itself.' })),
        item: Type.Optional(
          Type.Integer({ minimum: 0, description: 'The position of its item, with for_each.' }),
        ),
        ok: Type.Boolean(),
        http_status: Type.Integer({
          description: 'The status this call would have had by itself.',
        }),
        request_id: Type.String({ description: 'Its id in the journal.' }),
        untrusted: Type.Optional(
          Type.Array(Type.String(), {
            description: 'For dialects that do not say it: where data has text that others wrote.',
          }),
        ),
        hidden: Type.Optional(
          Type.Array(Type.String(), {
            description: 'For dialects that do not say it: where texts of others were left out.',
          }),
        ),
        envelope,
      }),
      { description: 'In the order of the calls, and of the items of each.' },
    ),
  })
export type BatchResults = Static<ReturnType<typeof BatchResults<TUnknown>>>

/** A call, and how to present its answer. */
export interface PresentedCall extends BatchedCall {
  readonly presentation: Presentation
}

const parseCall = compileInput('calls[]', BatchCall)

/** The settings that all calls of a batch share. */
export type SharedOptions = Pick<ExecuteRequest, 'caller'> &
  Partial<ExecuteRequest> & {
    /** Whether answers may come from memory, for calls that do not say it themselves. */
    readonly cacheControl?: string | undefined
  }

/** Validates each call by itself; an error in one call becomes the answer of that call. */
export function readBatch(
  { cacheControl, ...shared }: SharedOptions,
  values: readonly unknown[],
  presentation: Presentation,
): readonly PresentedCall[] {
  const ids = new Map<string, number>()
  return values.map((value, index) => {
    const { id, capability } = identify(value)
    const request = { ...shared, capability, input: null }
    const plain = { id, presentation, request, needs: [], forEach: undefined }
    try {
      if (!isObject(value)) throw notAnObject(index)
      const call = parseCall(value) as BatchCall
      if (id !== null) claimId(ids, id, index)
      return { ...plain, ...readCall(call, plain, cacheControl), refused: null }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      return { ...plain, refused: error }
    }
  })
}

/** The headers of the batch hold for each of its calls. */
export function sharedOptions({ caller, headers, correlationId }: FastifyRequest): SharedOptions {
  const token = readUpstreamToken(headers['x-upstream-authorization'])
  const { traceparent } = headers
  return {
    caller,
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(token === null ? {} : { upstreamToken: token }),
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
    cacheControl: headers['cache-control'],
  }
}

function readCall(
  { input, profile, fields, needs = [], for_each, ...options }: BatchCall,
  { request, presentation }: Pick<PresentedCall, 'request' | 'presentation'>,
  cacheControl: string | undefined,
): Omit<PresentedCall, 'id' | 'refused'> {
  return {
    needs,
    forEach: for_each,
    request: {
      ...request,
      input,
      ...toRequestOptions(options, cacheControl),
      ...(fields === undefined ? {} : { fields }),
    },
    presentation: {
      ...presentation,
      ...(profile === undefined ? {} : { profile: findProfile(profile) }),
      ...budgetOf(options),
    },
  }
}

/** Reads the names from a call that may be invalid: its answer and its journal row need them. */
function identify(value: unknown): { readonly id: string | null; readonly capability: string } {
  const { id, capability } = (value ?? {}) as Readonly<Record<string, unknown>>
  return {
    id: typeof id === 'string' ? id : null,
    capability: typeof capability === 'string' ? capability.slice(0, 200) : '',
  }
}

function notAnObject(index: number): GatewayError {
  const [path, message] = [
    `calls[${index}]`,
    'must be an object such as {"capability":"repo.view"}',
  ]
  return new GatewayError('VALIDATION', `${path} ${message}.`, {
    source: 'caller',
    details: { fields: [{ path, message }] },
  })
}

function claimId(ids: Map<string, number>, id: string, index: number): void {
  const first = ids.get(id)
  if (first === undefined) {
    ids.set(id, index)
    return
  }
  throw new GatewayError('VALIDATION', `calls[${first}] has the id "${id}" already.`, {
    source: 'caller',
    details: { fields: [{ path: 'id', message: `is the id of calls[${first}] already` }] },
  })
}

/**
 * Builds `data` of a batch's answer: one envelope for each call, in order.
 * @param rendered the answers as their calls want them
 */
export function describeBatch(
  calls: readonly PresentedCall[],
  answers: readonly BatchedAnswer[],
  rendered: readonly Pick<Rendered, 'body' | 'status' | 'envelope' | 'untrusted' | 'hidden'>[],
): BatchResults {
  const results = answers.map(({ answer, index, item }, at) => {
    const { body, status, envelope, untrusted, hidden } = rendered[at] as Rendered
    return {
      id: calls[index]?.id ?? null,
      ...(item === null ? {} : { item }),
      ok: envelope.ok,
      http_status: status,
      request_id: answer.envelope.meta.request_id,
      ...(untrusted.isSaid || untrusted.paths.length === 0
        ? {}
        : { untrusted: [...untrusted.paths] }),
      ...(hidden.isSaid || hidden.paths.length === 0 ? {} : { hidden: [...hidden.paths] }),
      envelope: parseJson(body) as unknown,
    }
  })
  const total = results.length
  const succeeded = results.filter(({ ok }) => ok).length
  return {
    status: statusOf(succeeded, total),
    total,
    succeeded,
    failed: total - succeeded,
    results,
  }
}

function statusOf(succeeded: number, total: number): BatchResults['status'] {
  if (succeeded === total) return 'success'
  return succeeded === 0 ? 'failed' : 'partial'
}
