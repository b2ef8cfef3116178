import type { Card } from './card.ts'

/** Parts of cards that a pattern can ask for. `write` is every change. */
const EFFECTS = ['read', 'write', 'destructive'] as const
type PatternEffect = (typeof EFFECTS)[number]

/** A choice of capabilities, such as `repo.*`, `read:*` or `write:pr.reviews.*`. */
export interface CardPattern {
  /** As the author wrote it. */
  readonly text: string
  /** Null: any. */
  readonly effect: PatternEffect | null
  /** The texts between the asterisks, each of which stands for any characters. */
  readonly parts: readonly string[]
}

/** An id with asterisks, behind an effect. The journal and the settings show patterns, so they stay short. */
export const CARD_PATTERN = `^(?:(?:${EFFECTS.join('|')}):)?[a-z0-9_.*]{1,200}$`

/** @param text matches `CARD_PATTERN` */
export function parseCardPattern(text: string): CardPattern {
  const at = text.indexOf(':')
  const effect = at < 0 ? null : (text.slice(0, at) as PatternEffect)
  return { text, effect, parts: text.slice(at + 1).split('*') }
}

export function matchesCard(
  { effect, parts }: CardPattern,
  card: Pick<Card, 'id' | 'effect' | 'destructive'>,
): boolean {
  return (effect === null || hasEffect(card, effect)) && matchesId(parts, card.id)
}

function hasEffect(
  { effect, destructive }: Pick<Card, 'effect' | 'destructive'>,
  wanted: PatternEffect,
): boolean {
  if (wanted === 'destructive') return destructive
  return wanted === 'read' ? effect === 'read' : effect !== 'read'
}

/**
 * Takes the first place for each part: linear in the length of the id.
 * @param parts the texts between the asterisks of a pattern
 */
export function matchesId([first = '', ...others]: readonly string[], id: string): boolean {
  const last = others.pop()
  if (last === undefined) return id === first
  if (!id.startsWith(first) || !id.endsWith(last)) return false
  let at = first.length
  for (const part of others) {
    const found = id.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= id.length - last.length
}
