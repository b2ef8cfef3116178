import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Calls } from '../src/call/calls.ts'
import type { Answer } from '../src/model/envelope.ts'
import { GatewayError } from '../src/model/errors.ts'
import { toBudget } from '../src/render/budget/budget.ts'
import { type Knowledge, PLAIN } from '../src/render/render.ts'
import { sendAnswer, success } from './support/answer.ts'
import { answerBatch, requireRoom } from './support/batch-answer.ts'
import { BatchBody, readBatch, sharedOptions } from './support/batch-calls.ts'
import { afterSending, callerSignal } from './support/caller-signal.ts'
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

/** Hidden: openapi.ts describes it, because its document names the capabilities. */
const RUN = {
  config: { call: 'batch', admission: true },
  schema: { hide: true, querystring: BatchQuery, body: BatchBody },
} as const

/** Runs several calls with one request. */
export function batchRoute({
  calls,
  ...knowledge
}: { readonly calls: Calls } & Knowledge): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.post('/v1/batch', RUN, async (request, reply) => {
      refuseKey(request)
      const batched = readBatch(
        sharedOptions(request),
        request.body.calls,
        readPresentation(request),
      )
      const { timeout_ms } = request.query
      const { stop_on_error = false, token_budget } = request.body
      const door = {
        meta: success(request, null).meta,
        budget: token_budget === undefined ? null : toBudget(token_budget),
        write: (answer: Answer) => JSON.stringify(answer.envelope),
      }
      requireRoom(knowledge, batched, door)
      const answers = await calls.executeBatch({
        batch: { id: request.id },
        calls: batched,
        stopOnError: stop_on_error,
        signal: callerSignal(reply),
        onSent: afterSending(reply),
        ...(timeout_ms === undefined ? {} : { timeoutMs: Number(timeout_ms) }),
      })
      const { meta } = success(request, null)
      const answer = answerBatch(knowledge, batched, answers, { ...door, meta })
      if (answer.envelope.ok) return answer.envelope
      const tokenBudget = token_budget ?? null
      return sendAnswer(reply, knowledge, answer, { ...PLAIN, tokenBudget })
    })
    done()
  }
}

/** One key cannot stand for several writes. Ignoring it would break the promise the caller relies on. */
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
