import { Type } from '@sinclair/typebox'
import { MAX_CALLS } from '../../src/call/batch-run.ts'
import type { Card } from '../../src/model/card.ts'
import { BatchBody, BatchCall, BatchResults } from './batch-calls.ts'
import { FAILURE_RESPONSE, successWith } from './shared-answers.ts'

const REQUEST = '#/components/schemas/BatchRequest'
const ANSWER = '#/components/schemas/BatchAnswer'

/** The schemas of `POST /v1/batch`, which list the capabilities in use. */
export function batchSchemas(cards: readonly Card[], envelopes: readonly string[]) {
  const call = {
    ...BatchCall,
    properties: {
      ...BatchCall.properties,
      capability: { ...BatchCall.properties.capability, enum: cards.map(({ id }) => id) },
      input: { ...BatchCall.properties.input, type: 'object' },
    },
  }
  const envelope = Type.Unsafe({ anyOf: envelopes.map($ref => ({ $ref })) })
  return {
    BatchRequest: {
      type: 'object',
      required: ['calls'],
      properties: {
        calls: { type: 'array', minItems: 1, maxItems: MAX_CALLS, items: call },
        stop_on_error: BatchBody.properties.stop_on_error,
      },
      additionalProperties: false,
    },
    BatchAnswer: successWith(BatchResults(envelope)),
  }
}

/** Describes `POST /v1/batch`. */
export function batchOperation(parameters: readonly object[]) {
  return {
    operationId: 'batch',
    tags: ['capabilities'],
    summary: 'Run several capabilities with one request',
    description:
      'Returns an envelope for each call, in order. Later calls can use the results of earlier ones. Reads over GraphQL share one request to the service; writes run one after the other.',
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
