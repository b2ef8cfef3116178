import { type Static, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { BatchedCall } from '../../src/call/execute-batch.ts'
import { compileInput } from '../../src/cards/validate.ts'
import type { Answer } from '../../src/model/envelope.ts'
import { GatewayError } from '../../src/model/errors.ts'
import type { ExecuteRequest } from '../../src/model/execute-request.ts'
import { findProfile } from '../../src/render/profiles/index.ts'
import { type Knowledge, type Presentation, renderAnswer } from '../../src/render/render.ts'
import { callOptions, toRequestOptions } from './call-options.ts'
import { PresentationQuery } from './presentation.ts'
import { readUpstreamToken } from './upstream-token.ts'

/** Calls in one batch. */
export const MOST_CALLS = 50

/** One call as it stands in the body of a batch. */
export const BatchCall = Type.Object(
  {
    id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'Comes back with the answer.' }),
    ),
    capability: Type.String({ maxLength: 200, description: 'For example repo.view.' }),
    input: Type.Optional(Type.Unknown({ description: 'What the capability takes.' })),
    ...callOptions,
    profile: PresentationQuery.profile,
  },
  { additionalProperties: false },
)
type BatchCall = Static<typeof BatchCall>

/** A call with what its answer needs. */
export interface AskedCall extends BatchedCall {
  readonly id: string | null
  readonly presentation: Presentation
}

const parseCall = compileInput('calls[]', BatchCall)

/** Reads each call by itself; what is wrong with one becomes its answer. */
export function readBatch(
  request: FastifyRequest,
  given: readonly unknown[],
  presentation: Presentation,
): readonly AskedCall[] {
  const shared = sharedBy(request)
  const ids = new Map<string, number>()
  return given.map((value, index) => {
    const { id, capability } = namesOf(value)
    const asked = { id, presentation, request: { ...shared, capability, input: null } }
    try {
      const call = parseCall(value) as BatchCall
      if (id !== null) claimId(ids, id, index)
      return { ...asked, ...readCall(call, asked), refused: null }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      return { ...asked, refused: error }
    }
  })
}

/** What the headers say is said of every call. */
function sharedBy({ caller, headers }: FastifyRequest): Pick<ExecuteRequest, 'caller'> {
  const token = readUpstreamToken(headers['x-upstream-authorization'])
  const { traceparent } = headers
  return {
    caller,
    ...(token === null ? {} : { upstreamToken: token }),
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
  }
}

function readCall(
  { input, profile, token_budget, fields, ...options }: BatchCall,
  { request, presentation }: Pick<AskedCall, 'request' | 'presentation'>,
): Pick<AskedCall, 'request' | 'presentation'> {
  return {
    request: {
      ...request,
      input,
      ...toRequestOptions(options),
      ...(fields === undefined ? {} : { fields }),
    },
    presentation: {
      ...presentation,
      ...(profile === undefined ? {} : { profile: findProfile(profile) }),
      ...(token_budget === undefined ? {} : { tokenBudget: token_budget }),
    },
  }
}

/** What a call can be recognized by, however faulty it is. */
function namesOf(value: unknown): { readonly id: string | null; readonly capability: string } {
  const { id, capability } = (value ?? {}) as Readonly<Record<string, unknown>>
  return {
    id: typeof id === 'string' ? id : null,
    capability: typeof capability === 'string' ? capability.slice(0, 200) : '',
  }
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

/** The data of a batch's answer: an envelope for each call, in order. */
export function tellBatch(
  knowledge: Knowledge,
  calls: readonly AskedCall[],
  answers: readonly Answer[],
) {
  const results = answers.map((answer, index) => {
    const { id, presentation } = calls[index] as AskedCall
    const { body, status, envelope } = renderAnswer(knowledge, answer, presentation)
    return {
      id,
      ok: envelope.ok,
      http_status: status,
      request_id: answer.envelope.meta.request_id,
      envelope: JSON.parse(body) as unknown,
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

function statusOf(succeeded: number, total: number): 'success' | 'partial' | 'failed' {
  if (succeeded === total) return 'success'
  return succeeded === 0 ? 'failed' : 'partial'
}
