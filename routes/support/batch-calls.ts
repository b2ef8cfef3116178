import type { FastifyRequest } from 'fastify'
import type { BatchedCall } from '../../src/call/batch-run.ts'
import type { BatchedAnswer } from '../../src/call/execute-batch.ts'
import { compileInput } from '../../src/cards/validate.ts'
import { parseJson } from '../../src/lib/exact-json.ts'
import { isObject } from '../../src/lib/is-object.ts'
import { GatewayError } from '../../src/model/errors.ts'
import type { ExecuteRequest } from '../../src/model/execute-request.ts'
import type { Fitting } from '../../src/render/fitting.ts'
import { findProfile } from '../../src/render/profiles/index.ts'
import type { Presentation, Rendered } from '../../src/render/render.ts'
import { BatchCall, type BatchResults } from './batch-schema.ts'
import { budgetOf, toRequestOptions } from './call-options.ts'
import { readUpstreamToken } from './upstream-token.ts'

/** A call, and how to present its answer. */
export interface PresentedCall extends BatchedCall {
  readonly presentation: Presentation
}

/** A call whose answer can be written. */
export interface FittedCall extends PresentedCall {
  readonly fitting: Fitting
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
      shown: { ...(profile === undefined ? {} : { profile }), ...budgetOf(options) },
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
  rendered: readonly Pick<Rendered, 'body' | 'status' | 'envelope' | 'unsaid'>[],
): BatchResults {
  const results = answers.map(({ answer, index, item }, at) => {
    const { body, status, envelope, unsaid } = rendered[at] as Rendered
    return {
      id: calls[index]?.id ?? null,
      ...(item === null ? {} : { item }),
      ok: envelope.ok,
      http_status: status,
      request_id: answer.envelope.meta.request_id,
      ...unsaid,
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
