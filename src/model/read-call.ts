import { withoutNulls } from '../lib/without-nulls.ts'
import type { Card } from './card.ts'

type Input = Readonly<Record<string, unknown>>

/** A read that the caller may make. */
export interface ReadCall {
  readonly capability: string
  readonly input: unknown
}

/**
 * How long before its change a read looks: twice as much as two clocks may differ, so that the change shows, and
 * other changes with which it could be confused.
 */
const LOOK_BACK_MS = 120_000

/** The call that shows whether a change was made, if the card has one. @param sentAfter epoch milliseconds */
export function verifyCallOf(
  card: Card | null,
  input: Input | null,
  sentAfter: number,
): ReadCall | null {
  if (!card?.verify || !input) return null
  const since = `${new Date(sentAfter - LOOK_BACK_MS).toISOString().slice(0, 19)}Z`
  const asked = withoutNulls(card.verify.input({ input, since }))
  return { capability: card.verify.capability, input: asked }
}
