import { exampleOfCard } from '../../src/cards/card-example.ts'
import { hasReferences, toOpenapiSchema } from '../../src/cards/openapi-schema.ts'
import type { Card, JsonSchema } from '../../src/model/card.ts'
import type { Effect } from '../../src/model/route.ts'
import { PLAIN, renderAnswer } from '../../src/render/render.ts'
import { RunQuery } from '../capabilities.ts'
import { contentOfSuccess } from './answers.ts'
import type { Described } from './dialect.ts'
import { exampleMeta } from './examples.ts'
import { FAILURE_STATUSES, failuresOf } from './failures.ts'
import { CALL_HEADERS, refsToHeaders } from './headers.ts'
import { callParameters } from './parameters.ts'

/** Describes `POST /v1/capabilities/{id}` for one capability. */
export function capabilityOperation(card: Card, described: Described) {
  const routes = card.routes.map(({ route }) => route)
  const { input, output } = exampleOfCard(card)
  const example = output === undefined ? undefined : exampleAnswer(card, output, described)
  return {
    operationId: card.id,
    tags: [card.upstream.id],
    summary: card.description,
    description: `${EFFECTS[card.effect]} Routes, preferred first: ${routes.join(', ')}.${deprecationOf(card)}`,
    ...(card.deprecated === null ? {} : { deprecated: true }),
    parameters: callParameters(RunQuery.properties, routes),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemaOf(card, 'input'),
          ...(input === undefined ? {} : { example: input }),
        },
      },
    },
    responses: {
      200: {
        description: DONE,
        headers: refsToHeaders(CALL_HEADERS),
        content: contentOfSuccess(described, dataOf(card), example),
      },
      ...failuresOf({
        hasBody: true,
        needsKey: described.hasKeys,
        others: FAILURE_STATUSES.filter(status => status !== 401),
      }),
    },
  }
}

/** The schemas of a card that refer to parts of themselves, for the components of a document. */
export function cardComponents(card: Card): Readonly<Record<string, JsonSchema>> {
  const sides = (['input', 'output'] as const).filter(side => hasReferences(card[side]))
  return Object.fromEntries(
    sides.map(side => [nameOf(card, side), toOpenapiSchema(card[side], refTo(card, side))]),
  )
}

type Side = 'input' | 'output'
const nameOf = ({ id }: Card, side: Side) => `${id}.${side}`
const refTo = (card: Card, side: Side) => `#/components/schemas/${nameOf(card, side)}`

function schemaOf(card: Card, side: Side): object {
  const at = refTo(card, side)
  return hasReferences(card[side]) ? { $ref: at } : toOpenapiSchema(card[side], at)
}

/** An upstream may confirm a change without describing it; `data` is then empty, with a warning. */
function dataOf(card: Card): object {
  const output = schemaOf(card, 'output')
  if (card.effect === 'read') return output
  if ('properties' in output) {
    // Generated types then have all members, each of which may be missing.
    const { required: _, ...optional } = output as JsonSchema
    return optional
  }
  return { anyOf: [output, { type: 'object', additionalProperties: false }] }
}

/** The answer to the call of a card's example. @param data its output */
export function exampleAnswer(
  card: Card,
  data: unknown,
  { profile, knowledge }: Described,
): unknown {
  const [first] = card.routes
  const route = first?.route ?? null
  const meta = exampleMeta({
    capability_id: card.id,
    route_used: route,
    reason: 'CARD_PREFERRED',
    attempts: route === null ? [] : [{ route, status: 'success', duration_ms: 12.4 }],
    duration_ms: 13.1,
  })
  const envelope = { ok: true, data, error: null, meta } as const
  if (profile === 'default') return envelope
  const answer = { envelope, status: 200 }
  return JSON.parse(renderAnswer(knowledge, answer, { ...PLAIN, profile }).body) as unknown
}

const DONE =
  'Done. With the parameter fields, data is partial: it lacks members that the schema requires.'

const EFFECTS: Readonly<Record<Effect, string>> = {
  read: 'Changes nothing.',
  idempotent: 'Safe to repeat.',
  write: 'Never repeated by the gateway.',
}

function deprecationOf({ deprecated }: Card): string {
  return deprecated === null ? '' : ` Deprecated: ${deprecated}`
}
