import { Type } from '@sinclair/typebox'
import { MAX_CALLS } from '../../src/call/batch-run.ts'
import { exampleOfCard } from '../../src/cards/card-example.ts'
import type { Card } from '../../src/model/card.ts'
import { ExplainedBatch } from '../../src/model/explained-batch.ts'
import { BatchQuery } from '../batch.ts'
import { BatchBody, BatchCall, BatchResults } from '../support/batch-schema.ts'
import { refToDialect, successWith } from './answers.ts'
import { exampleAnswer } from './capability-operation.ts'
import type { Described } from './dialect.ts'
import { exampleMeta } from './examples.ts'
import { failuresOf } from './failures.ts'
import { COMMON_HEADERS, refsToHeaders } from './headers.ts'
import { batchParameters } from './parameters.ts'

const REQUEST = '#/components/schemas/BatchRequest'
const ANSWER = '#/components/schemas/BatchAnswer'
const EXPLAINED = '#/components/schemas/BatchExplained'

/** The schemas of batches, which list the capabilities in use. */
export function batchSchemas(cards: readonly Card[], { profile }: Described) {
  const { properties } = BatchCall
  const ids = cards.map(({ id }) => id)
  const call = {
    ...BatchCall,
    properties: {
      ...properties,
      capability: { ...properties.capability, ...(ids.length === 0 ? {} : { enum: ids }) },
      input: { ...properties.input, type: 'object', additionalProperties: true },
      profile: { ...properties.profile, enum: [profile] },
    },
  }
  return {
    BatchRequest: {
      type: 'object',
      required: ['calls'],
      properties: {
        calls: { type: 'array', minItems: 1, maxItems: MAX_CALLS, items: call },
        // Generators take a member with a default for one that is always there.
        stop_on_error: { ...BatchBody.properties.stop_on_error, default: undefined },
        token_budget: BatchBody.properties.token_budget,
      },
      additionalProperties: false,
    },
    BatchAnswer: successWith(BatchResults(Type.Unsafe(refToDialect(profile)))),
    BatchExplained: successWith(ExplainedBatch),
  }
}

/** Describes `POST /v1/batch`. */
export function batchOperation(cards: readonly Card[], described: Described) {
  const example = exampleOfBatch(cards, described)
  return {
    operationId: 'batch',
    tags: ['capabilities'],
    summary: 'Run several capabilities with one request',
    description:
      'Returns an envelope for each call, in order. Later calls can use the results of earlier ones. Reads over GraphQL share one request to the service; writes run one after the other.',
    parameters: batchParameters(BatchQuery.properties),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: REQUEST }, ...example?.request } },
    },
    responses: {
      200: {
        description: 'The batch ran; data.status summarizes its calls.',
        headers: refsToHeaders(COMMON_HEADERS),
        content: { 'application/json': { schema: { $ref: ANSWER }, ...example?.answer } },
      },
      ...failuresOf({ hasBody: true, needsKey: described.hasKeys, others: [499, 504] }),
    },
  }
}

/** Describes `POST /v1/batch/explain`. */
export function explainBatchOperation(cards: readonly Card[], described: Described) {
  const example = exampleOfBatch(cards, described)
  return {
    operationId: 'explainBatch',
    tags: ['capabilities'],
    summary: 'Show what a batch would do; nothing is sent',
    description:
      'Says of each call when it begins, which routes it would try, what earlier calls have yet to fill, whether a person has to approve it, and the faults that are known already.',
    parameters: batchParameters(BatchQuery.properties),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: REQUEST }, ...example?.request } },
    },
    responses: {
      200: {
        description: 'The batch as far as it is known; data.status summarizes its calls.',
        headers: refsToHeaders(COMMON_HEADERS),
        content: { 'application/json': { schema: { $ref: EXPLAINED }, ...example?.explained } },
      },
      ...failuresOf({ hasBody: true, needsKey: described.hasKeys, others: [504] }),
    },
  }
}

/** A batch of one call. Null if no capability has an example. */
function exampleOfBatch(cards: readonly Card[], described: Described) {
  const card = cards.find(one => {
    const { input, output } = exampleOfCard(one)
    return input !== undefined && output !== undefined
  })
  if (card === undefined) return null
  const { input, output } = exampleOfCard(card)
  const call = { id: 'first', capability: card.id, input }
  const meta = exampleMeta({})
  const envelope = exampleAnswer(card, output, described)
  const { request_id } = meta
  const result = { id: 'first', ok: true, http_status: 200, request_id, envelope }
  const data = { status: 'success', total: 1, succeeded: 1, failed: 0, results: [result] }
  return {
    request: { example: { calls: [call] } },
    answer: { example: { ok: true, data, error: null, meta } },
    explained: { example: { ok: true, data: explainedExample(card), error: null, meta } },
  }
}

function explainedExample({ id, effect, routes }: Card): ExplainedBatch {
  const candidates = routes.map(({ route }, index) => ({
    route,
    reason: index === 0 ? ('CARD_PREFERRED' as const) : ('CARD_FALLBACK' as const),
  }))
  const plan = { capability_id: id, candidates, skipped: [] }
  const step = { id: 'first', capability_id: id, effect, order: 1, needs: [], for_each: null }
  return {
    status: 'ready',
    total: 1,
    faulty: 0,
    calls: [{ ...step, resolved_later: [], plan, error: null }],
  }
}
