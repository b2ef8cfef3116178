import { join } from 'node:path'
import type { Problem } from '../lib/problem.ts'
import type { Card, Upstream } from '../model/card.ts'
import { type CardPattern, matchesCard } from '../model/card-pattern.ts'
import { isIn } from '../model/kept-reads.ts'
import type { Sources } from './check-names.ts'
import { reportProblem } from './report.ts'

const FIX = 'Correct it, or take it out.'

/**
 * Reports patterns without effect. A pattern of `touches` that matches no read would silently leave answers
 * in memory that the change has made worthless.
 */
export function checkTouches(
  cards: Iterable<Card>,
  upstreams: readonly Upstream[],
  reporting: Reporting,
): void {
  const all = [...cards]
  const reads = all.filter(({ effect }) => effect === 'read')
  for (const { file, touches } of all) {
    for (const { text } of unmatched(touches ?? [], reads))
      report(file, 'touches', `names "${text}", which matches no read`, reporting)
  }
  for (const upstream of upstreams) checkKeeps(upstream, all, reporting)
}

interface Reporting {
  readonly sources: Sources
  readonly problems: Problem[]
}

function report(
  file: string,
  key: string,
  message: string,
  { sources, problems }: Reporting,
): void {
  const source = sources.get(file)
  if (source) reportProblem(source, [key], message, FIX, problems)
}

function checkKeeps({ id, keeps }: Upstream, all: readonly Card[], reporting: Reporting): void {
  for (const { folder, changes, reads } of keeps) {
    const own = all.filter(card => card.upstream.id === id && isIn(folder, card))
    const faults = [
      ...unmatched(changes, own.filter(isChange)).map(it => `${it.text}", which matches no change`),
      ...unmatched(
        reads,
        own.filter(card => !isChange(card)),
      ).map(it => `${it.text}", which matches no read`),
    ]
    for (const fault of faults)
      report(join(folder, 'upstream.yaml'), 'keeps', `names "${fault} of this folder`, reporting)
  }
}

const isChange = ({ effect }: Card) => effect !== 'read'

function unmatched(patterns: readonly CardPattern[], cards: readonly Card[]) {
  return patterns.filter(pattern => !cards.some(card => matchesCard(pattern, card)))
}
