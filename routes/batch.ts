import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Calls } from '../src/call/calls.ts'
import type { Answer } from '../src/model/envelope.ts'
import { GatewayError } from '../src/model/errors.ts'
import { type Knowledge, PLAIN } from '../src/render/render.ts'
import type { Admission } from './support/admission.ts'
import { sendAnswer, success } from './support/answer.ts'
import { sharedOptions } from './support/batch-calls.ts'
import { BatchBody } from './support/batch-schema.ts'
import { afterSending, callerSignal } from './support/caller-signal.ts'
import { type AskedBatch, explainBatch, makeBatch } from './support/make-batch.ts'
import { ownMeta } from './support/own-meta.ts'
import { PresentationQuery, readPresentation } from './support/presentation.ts'
import { refuseBatch } from './support/refuse-batch.ts'
import { TimeoutQuery } from './support/schemas.ts'

export const BatchQuery = Type.Object(
  {
    timeout_ms: TimeoutQuery,
    profile: PresentationQuery.profile,
    token_budget: PresentationQuery.token_budget,
  },
  { additionalProperties: false },
)

/** Hidden: openapi.ts describes both, because its document names the capabilities. */
const RUN = {
  config: { call: 'batch' },
  schema: { hide: true, querystring: BatchQuery, body: BatchBody },
} as const
const EXPLAIN = { schema: RUN.schema } as const

interface BatchParts extends Knowledge {
  readonly calls: Calls
  readonly admission: Admission
}

/** Runs several calls with one request, or says what they would do. */
export function batchRoute({
  calls,
  admission,
  ...knowledge
}: BatchParts): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.post('/v1/batch', RUN, async (request, reply) => {
      const { timeout_ms } = request.query
      const asked = toBatch(request)
      const batch = { id: request.id }
      const refusal = admission()
      if (refusal) {
        const refused = await refuseBatch(calls, knowledge, asked, batch, refusal)
        return sendAnswer(reply, knowledge, refused, asked.presentation)
      }
      const answer = await makeBatch(calls, knowledge, asked, {
        batch,
        signal: callerSignal(reply),
        onSent: afterSending(reply),
        ...(timeout_ms === undefined ? {} : { timeoutMs: Number(timeout_ms) }),
      })
      if (answer.envelope.ok) return answer.envelope
      const tokenBudget = request.body.token_budget ?? null
      return sendAnswer(reply, knowledge, answer, { ...PLAIN, tokenBudget })
    })
    app.post('/v1/batch/explain', EXPLAIN, async request =>
      success(request, await explainBatch(calls, knowledge, toBatch(request))),
    )
    done()
  }
}

function toBatch(request: FastifyRequest & { readonly body: BatchBody }): AskedBatch {
  refuseKey(request)
  return {
    body: request.body,
    shared: sharedOptions(request),
    presentation: readPresentation(request),
    metaNow: () => ownMeta(request),
    write: (answer: Answer) => JSON.stringify(answer.envelope),
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
