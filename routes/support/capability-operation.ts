import type { TObject } from '@sinclair/typebox'
import type { Card } from '../../src/model/card.ts'
import type { Effect } from '../../src/model/route.ts'
import { HEADERS, queryParameters } from './request-parameters.ts'
import { FAILURE_RESPONSE, inEveryDialect, successWith } from './shared-answers.ts'

/** Describes `POST /v1/capabilities/{id}` for one capability. */
export function capabilityOperation(card: Card, query: TObject) {
  const routes = card.routes.map(({ route }) => route)
  return {
    operationId: card.id,
    tags: [card.upstream.id],
    summary: card.description,
    description: `${EFFECTS[card.effect]} Routes, preferred first: ${routes.join(', ')}.`,
    deprecated: card.deprecated !== null,
    parameters: [...queryParameters(query, routes), ...HEADERS],
    requestBody: { required: true, content: { 'application/json': { schema: card.input } } },
    responses: {
      200: { description: DONE, content: inEveryDialect(successWith(dataOf(card))) },
      default: FAILURE_RESPONSE,
    },
  }
}

/** An upstream may confirm a change without describing it; `data` is then empty, with a warning. */
function dataOf({ effect, output }: Card): object {
  if (effect === 'read') return output
  return { anyOf: [output, { type: 'object', maxProperties: 0 }] }
}

const DONE =
  'Done. With the parameter fields, data is partial: it lacks members that the schema requires.'

const EFFECTS: Readonly<Record<Effect, string>> = {
  read: 'Changes nothing.',
  idempotent: 'Safe to repeat.',
  write: 'Never repeated by the gateway.',
}
