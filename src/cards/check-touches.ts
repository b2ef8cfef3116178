import { join } from 'node:path'
import type { Problem } from '../lib/problem.ts'
import type { Card, Upstream } from '../model/card.ts'
import { type CardPattern, matchesCard } from '../model/card-pattern.ts'
import { isIn } from '../model/kept-reads.ts'

const FIX = 'Correct it, or take it out.'

/**
 * Reports patterns without effect. A pattern of `touches` that matches no read would silently leave answers
 * in memory that the change has made worthless.
 */
export function checkTouches(
  cards: Iterable<Card>,
  upstreams: readonly Upstream[],
  problems: Problem[],
): void {
  const all = [...cards]
  const reads = all.filter(({ effect }) => effect === 'read')
  for (const { file, touches } of all) {
    for (const { text } of unmatched(touches ?? [], reads)) {
      const message = `touches names "${text}", which matches no read`
      problems.push({ file, line: null, message, fix: FIX })
    }
  }
  for (const upstream of upstreams) checkKeeps(upstream, all, problems)
}

function checkKeeps({ id, keeps }: Upstream, all: readonly Card[], problems: Problem[]): void {
  for (const { folder, changes, reads } of keeps) {
    const own = all.filter(card => card.upstream.id === id && isIn(folder, card))
    const faults = [
      ...unmatched(changes, own.filter(isChange)).map(it => `${it.text}", which matches no change`),
      ...unmatched(
        reads,
        own.filter(card => !isChange(card)),
      ).map(it => `${it.text}", which matches no read`),
    ]
    for (const fault of faults) {
      const message = `keeps names "${fault} of this folder`
      problems.push({ file: join(folder, 'upstream.yaml'), line: null, message, fix: FIX })
    }
  }
}

const isChange = ({ effect }: Card) => effect !== 'read'

function unmatched(patterns: readonly CardPattern[], cards: readonly Card[]) {
  return patterns.filter(pattern => !cards.some(card => matchesCard(pattern, card)))
}
