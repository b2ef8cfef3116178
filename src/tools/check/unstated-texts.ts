import type { Problem } from '../../lib/problem.ts'
import type { Card } from '../../model/card.ts'

/** The texts in answers of which an upstream does not say who writes them, although it says so of others. */
export function unstatedTexts(cards: readonly Card[]): readonly Problem[] {
  return cards
    .filter(({ upstream, texts }) => upstream.texts !== null && texts.unstated.length > 0)
    .map(({ file, texts: { unstated } }) => ({
      file,
      line: null,
      message: `output does not say who writes ${unstated.join(', ')}`,
      fix: 'Name them in texts.rules of upstream.yaml, or in untrusted of the card; by: service for names, ids and fixed words.',
    }))
}
