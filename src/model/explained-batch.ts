import { type Static, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import { EnvelopeError } from './envelope.ts'
import { OneOf } from './one-of.ts'
import { ExplainedPlan } from './plan.ts'
import { EffectName, nullable } from './schema-parts.ts'

const Path = Type.String({ description: 'JMESPath over what it reads.' })

/** A call of a batch as `explain` shows it. */
export const ExplainedStep = Type.Object({
  id: nullable(Type.String({ description: 'The id that the call gave itself.' })),
  capability_id: Type.String(),
  effect: Type.Union([EffectName, Type.Null()], {
    description: 'Null if there is no such capability for this caller.',
  }),
  order: Type.Integer({
    minimum: 1,
    description: 'Calls of one number begin together, after those of lower numbers have ended.',
  }),
  needs: Type.Array(Type.String(), { description: 'Calls that have to succeed first.' }),
  for_each: nullable(
    Type.Object(
      { from: Type.String(), path: Path },
      { description: 'The list of items, each of which gets a call.' },
    ),
  ),
  resolved_later: Type.Array(
    Type.Object({
      member: Type.String({ description: 'Of the input; empty for the whole input.' }),
      from: nullable(
        Type.String({ description: 'The call that it is read from; null: the item.' }),
      ),
      path: Path,
    }),
    { description: 'Members that earlier calls fill. Nothing is known of their values yet.' },
  ),
  plan: nullable(ExplainedPlan),
  error: nullable(EnvelopeError),
})
export type ExplainedStep = DeepReadonly<Static<typeof ExplainedStep>>

/** The plan of a batch, as far as it is known before the batch runs. */
export const ExplainedBatch = Type.Object({
  status: OneOf(['ready', 'faulty'], 'Whether every call could begin, as far as is known.'),
  total: Type.Integer({ minimum: 1 }),
  faulty: Type.Integer({ minimum: 0, description: 'Calls that would fail without being sent.' }),
  calls: Type.Array(ExplainedStep, { description: 'In the order of the batch.' }),
})
export type ExplainedBatch = DeepReadonly<Static<typeof ExplainedBatch>>
