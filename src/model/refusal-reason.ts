import type { EnvelopeError } from './envelope.ts'

/**
 * The limit for which the gateway itself refused a call: `max_calls`, `max_event_loop_lag_ms`, `max_held_bytes`, the
 * store of Idempotency-Keys or that of approvals while it is away, or the places on a route.
 */
export const REFUSAL_REASONS = ['calls', 'lag', 'memory', 'keys', 'approvals', 'places'] as const
export type RefusalReason = (typeof REFUSAL_REASONS)[number]

/** Reads the limit from an answer; null for every other error. */
export function refusalReasonOf(error: EnvelopeError | null): RefusalReason | null {
  if (error?.source !== 'gateway') return null
  return REFUSAL_REASONS.find(reason => reason === error.details.refused) ?? null
}
