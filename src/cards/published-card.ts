/** A card as the gateway publishes it. Each schema is the source of the type that has its name. */
import { type Static, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import { OneOf } from '../model/one-of.ts'
import { AnyObject, EffectName, nullable, RouteName } from '../model/schema-parts.ts'
import { SCOPES } from '../model/scopes.ts'

const common = {
  id: Type.String(),
  description: Type.String(),
  effect: EffectName,
  upstream: Type.String(),
  destructive: Type.Optional(
    Type.Literal(true, {
      description: 'It deletes, merges, transfers, or overwrites what others made.',
    }),
  ),
  deprecated: Type.Optional(Type.String({ description: 'What to use instead.' })),
  scope: Type.Optional(OneOf(SCOPES, 'The scope that a gateway key needs to call it.')),
}

/** One item of `GET /v1/capabilities`. */
export const CardSummary = Type.Object({
  ...common,
  routes: Type.Array(RouteName, { description: 'In order of preference.' }),
})
export type CardSummary = DeepReadonly<Static<typeof CardSummary>>

/** `GET /v1/capabilities/{id}`. */
export const PublishedCard = Type.Object({
  ...common,
  version: Type.String(),
  input: Type.Unsafe<Static<typeof AnyObject>>({ ...AnyObject, description: 'JSON Schema.' }),
  output: Type.Unsafe<Static<typeof AnyObject>>({ ...AnyObject, description: 'JSON Schema.' }),
  routes: Type.Array(
    Type.Object({
      route: RouteName,
      pool: nullable(Type.String({ description: 'The quota that the route draws on.' })),
    }),
    { description: 'In order of preference.' },
  ),
  not_offered: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'The reason for each route that the service does not offer.',
    }),
  ),
  page: Type.Optional(
    Type.Object(
      { cursor: Type.String(), size: Type.String() },
      { description: 'The members of the input that page through the list.' },
    ),
  ),
  verify: Type.Optional(
    Type.Object(
      { capability: Type.String() },
      { description: 'The read that shows whether a write was applied.' },
    ),
  ),
  touches: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'The reads whose answers in memory it drops, as patterns. Without it, all of the service, except what that keeps.',
    }),
  ),
  next: Type.Array(Type.Object({ capability: Type.String(), reason: nullable(Type.String()) }), {
    description: 'Capabilities that often come next.',
  }),
})
export type PublishedCard = DeepReadonly<Static<typeof PublishedCard>>
