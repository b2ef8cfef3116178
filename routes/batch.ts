import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { executeBatch } from '../src/call/execute-batch.ts'
import type { Engine } from '../src/engine/engine.ts'
import { GatewayError } from '../src/model/errors.ts'
import { success } from './support/answer.ts'
import { MOST_CALLS, readBatch, tellBatch } from './support/batch-calls.ts'
import { callerSignal } from './support/caller-signal.ts'
import { PresentationQuery, readPresentation } from './support/presentation.ts'
import { TimeoutQuery } from './support/schemas.ts'

export const BatchQuery = Type.Object(
  {
    timeout_ms: TimeoutQuery,
    profile: PresentationQuery.profile,
    token_budget: PresentationQuery.token_budget,
  },
  { additionalProperties: false },
)

/** Each call is checked by itself, so that a faulty one spoils no other. */
const Body = Type.Object(
  { calls: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MOST_CALLS }) },
  { additionalProperties: false },
)

/** Several calls with one request. */
export function batchRoute(engine: Engine): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.post(
      '/v1/batch',
      // Described with the capabilities, whose names its document has: see openapi.ts.
      { schema: { hide: true, querystring: BatchQuery, body: Body } },
      async (request, reply) => {
        refuseKey(request)
        const signal = callerSignal(reply)
        const calls = readBatch(request, request.body.calls, readPresentation(request))
        const { timeout_ms } = request.query
        const answers = await executeBatch(engine, {
          batch: { id: request.id },
          calls,
          signal,
          ...(timeout_ms === undefined ? {} : { timeoutMs: Number(timeout_ms) }),
        })
        return success(request, tellBatch(engine, calls, answers))
      },
    )
    done()
  }
}

/** One key cannot stand for several changes, and a caller who sends one relies on it. */
function refuseKey({ headers }: FastifyRequest): void {
  if (headers['idempotency-key'] === undefined) return
  throw new GatewayError(
    'VALIDATION',
    'A batch takes no Idempotency-Key. Give each call its own, as idempotency_key.',
    {
      source: 'caller',
      details: { fields: [{ path: 'idempotency-key', message: 'belongs to a call' }] },
    },
  )
}
