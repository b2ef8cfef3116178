import { type Static, Type } from '@sinclair/typebox'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import { OneOf } from './one-of.ts'
import type { Reason } from './reasons.ts'
import { nullable } from './schema-parts.ts'

/** How a request can come by what another request got. Closed set. */
export const BORROWINGS = ['replay', 'coalesced', 'memory', 'revalidated', 'interrupted'] as const
export type Borrowing = (typeof BORROWINGS)[number]

/** The other request that an answer comes from. The journal keeps it; callers do not get it: the request may be another's. */
export const AnswerFrom = Type.Object({
  how: OneOf(
    BORROWINGS,
    'replay: the stored answer of the same Idempotency-Key. coalesced: the run of an identical read. memory: an answer kept by Cache-Control. revalidated: an answer that the upstream confirmed with 304. interrupted: the request of the same Idempotency-Key whose gateway stopped.',
  ),
  request_id: nullable(
    Type.String({ description: 'Null if it is not known, or the reader may not see it.' }),
  ),
  borrowed: Type.Boolean({
    description: 'Whether the attempts are those of another request: this one sent nothing.',
  }),
})
export type AnswerFrom = DeepReadonly<Static<typeof AnswerFrom>>

const BY_REASON: Partial<Readonly<Record<Reason, Borrowing>>> = {
  IDEMPOTENT_REPLAY: 'replay',
  COALESCED: 'coalesced',
  CACHE_HIT: 'memory',
  REVALIDATED: 'revalidated',
}

/** As much as the reason tells, for records of older versions. */
export function answerFromReason(reason: string | null): AnswerFrom | null {
  const how = BY_REASON[reason as Reason]
  if (how === undefined) return null
  return { how, request_id: null, borrowed: how === 'replay' || how === 'coalesced' }
}
