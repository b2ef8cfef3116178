import { dirname } from 'node:path'
import type { Card } from './card.ts'
import { matchesCard } from './card-pattern.ts'

type Named = Pick<Card, 'id' | 'effect' | 'destructive' | 'file' | 'upstream' | 'touches'>

/** Whether the card's file is in the folder itself. */
export function isIn(folder: string, { file }: Pick<Card, 'file'>): boolean {
  return dirname(file) === folder
}

/** The reads whose answers in memory a change makes worthless; null: all of its upstream. */
export function touchedReads(change: Named, reads: readonly Named[]): readonly string[] | null {
  const { touches, upstream } = change
  if (touches) return idsOf(reads.filter(read => touches.some(it => matchesCard(it, read))))
  const rules = upstream.keeps.filter(
    ({ folder, changes }) => isIn(folder, change) && changes.some(it => matchesCard(it, change)),
  )
  if (rules.length === 0) return null
  const isKept = (read: Named) =>
    rules.some(
      ({ folder, reads: kept }) => isIn(folder, read) && kept.some(it => matchesCard(it, read)),
    )
  return idsOf(reads.filter(read => read.upstream.id === upstream.id && !isKept(read)))
}

function idsOf(cards: readonly Named[]): readonly string[] {
  return cards.map(({ id }) => id)
}
