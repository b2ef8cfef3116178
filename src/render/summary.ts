import { firstSentence } from '../lib/text.ts'
import type { Envelope } from '../model/envelope.ts'
import type { Subject } from '../model/subject.ts'

/** One sentence about the result of a call: the card's summary, or a general one. */
export function summarize(
  { ok, error, meta }: Pick<Envelope, 'ok' | 'error' | 'meta'>,
  { card, input }: Subject,
  data: unknown,
): string {
  const what = meta.capability_id ?? 'The request'
  if (!ok) return `${what} failed with ${error?.code}: ${firstSentence(error?.message ?? '')}`
  return fromCard(card, input, data) ?? `${what} succeeded.`
}

function fromCard(card: Subject['card'], input: Subject['input'], data: unknown): string | null {
  try {
    const text = card?.summary?.({ input, data })
    return typeof text === 'string' && text !== '' ? firstSentence(text) : null
  } catch {
    // An answer is still good without its summary.
    return null
  }
}
