/** Pieces that several TypeBox schemas share. */
import { type TSchema, Type } from '@sinclair/typebox'
import { ERROR_CODES, WRITE_OUTCOMES } from './errors.ts'
import { HINT_ID } from './hint-id.ts'
import { OneOf } from './one-of.ts'
import { ATTEMPT_STATUSES, DECISIONS, REASONS } from './reasons.ts'
import { EFFECTS, ROUTES } from './route.ts'

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** For objects in answers: later versions may add members. */
export const open = { additionalProperties: true } as const
export const closed = { additionalProperties: false } as const

export const AnyObject = Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}, open))

export const RouteName = OneOf(ROUTES, 'A way to reach the upstream.')
export const EffectName = OneOf(EFFECTS, 'What repeating the call does.')
export const ErrorCodeName = OneOf(ERROR_CODES, 'Normalized error code; closed set.')
export const ReasonName = OneOf(REASONS, 'Why a route was taken, or not; closed set.')
export const WriteOutcomeName = OneOf(WRITE_OUTCOMES, 'What is known of the write.')
export const DecisionName = OneOf(DECISIONS, 'What was decided after it.')
export const AttemptStatusName = OneOf(ATTEMPT_STATUSES, 'How the attempt ended.')
export const HintId = Type.String({ pattern: HINT_ID, description: 'See GET /v1/hints.' })
