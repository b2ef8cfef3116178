import { type TSchema, Type } from '@sinclair/typebox'
import type { Card } from '../../src/model/card.ts'
import { BatchCall, MAX_CALLS } from './batch-calls.ts'
import { FAILURE_RESPONSE, META } from './shared-answers.ts'

const REQUEST = '#/components/schemas/BatchRequest'
const ANSWER = '#/components/schemas/BatchAnswer'

/** The schema of `data` in the answer. @param envelope the schema of an answer in any dialect */
const resultsOf = (envelope: TSchema) =>
  Type.Object({
    status: Type.Unsafe<string>({
      enum: ['success', 'partial', 'failed'],
      description: 'All, some or none of the calls are ok.',
    }),
    total: Type.Integer({ minimum: 1 }),
    succeeded: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    results: Type.Array(
      Type.Object({
        id: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'The id that the call gave itself.',
        }),
        ok: Type.Boolean(),
        http_status: Type.Integer({
          description: 'The status this call would have had by itself.',
        }),
        request_id: Type.String({ description: 'Its id in the journal.' }),
        envelope,
      }),
      { minItems: 1, description: 'In the order of the calls.' },
    ),
  })

/** The schemas of `POST /v1/batch`, which list the capabilities in use. */
export function batchSchemas(cards: readonly Card[], envelopes: readonly string[]) {
  const call = {
    ...BatchCall,
    properties: {
      ...BatchCall.properties,
      capability: { ...BatchCall.properties.capability, enum: cards.map(({ id }) => id) },
      input: { type: 'object', description: 'The body of POST /v1/capabilities/{capability}.' },
    },
  }
  const envelope = Type.Unsafe({ anyOf: envelopes.map($ref => ({ $ref })) })
  return {
    BatchRequest: {
      type: 'object',
      required: ['calls'],
      properties: { calls: { type: 'array', minItems: 1, maxItems: MAX_CALLS, items: call } },
      additionalProperties: false,
    },
    BatchAnswer: {
      type: 'object',
      required: ['ok', 'data', 'error', 'meta'],
      properties: {
        ok: { const: true },
        data: resultsOf(envelope),
        error: { type: 'null' },
        meta: META,
      },
    },
  }
}

/** Describes `POST /v1/batch`. */
export function batchOperation(parameters: readonly object[]) {
  return {
    operationId: 'batch',
    tags: ['capabilities'],
    summary: 'Run several capabilities with one request',
    description:
      'Returns an envelope for each call, in order. Reads over GraphQL share one request to the service; writes run one after the other.',
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema: { $ref: REQUEST } } } },
    responses: {
      200: {
        description: 'The batch ran; data.status summarizes its calls.',
        content: { 'application/json': { schema: { $ref: ANSWER } } },
      },
      default: FAILURE_RESPONSE,
    },
  }
}
