import { isObject } from '../lib/is-object.ts'
import type { Problem } from '../lib/problem.ts'
import type { KeyPath, SourceFile } from '../lib/yaml-source.ts'
import type { Card } from '../model/card.ts'
import { reportProblem } from './report.ts'
import { likelyIds } from './search.ts'

/** The files of cards by their names, for the lines of faults that only all cards together show. */
export type Sources = ReadonlyMap<string, SourceFile>

/** Cards name each other in `verify`, `state`, `poll` and `next`. A wrong name would fail only when it is needed. */
export function checkCapabilityNames(
  unproven: readonly Card[],
  cards: ReadonlyMap<string, Card>,
  { sources, problems }: { readonly sources: Sources; readonly problems: Problem[] },
): void {
  for (const card of unproven) {
    const source = sources.get(card.file)
    for (const name of namesIn(card)) {
      if (cards.has(name) || source === undefined) continue
      const likely = likelyIds([...cards.values()], name, () => true)
      const fix =
        likely.length === 0 ? 'Add its card, or name another.' : `Write ${likely.join(' or ')}.`
      const path = placeOf(source.value, name) ?? []
      reportProblem(
        source,
        path,
        `names the capability "${name}", which does not exist`,
        fix,
        problems,
      )
    }
  }
}

function namesIn({ verify, state, next, routes }: Card): readonly string[] {
  const suggested = next.map(({ capability }) => capability)
  const polled = routes.flatMap(({ call }) => call.names ?? [])
  const read = state === null || state === 'none' ? [] : [state.capability]
  return [verify?.capability, verify?.viewer, ...read, ...suggested, ...polled].flatMap(
    name => name || [],
  )
}

/** Where a card names a capability; null if a lookup of the gateway's own does. */
function placeOf(value: unknown, name: string): KeyPath | null {
  if (!isObject(value) && !Array.isArray(value)) return null
  for (const [key, inner] of Object.entries(value)) {
    if (inner === name && (key === 'capability' || key === 'viewer')) return [key]
    const path = placeOf(inner, name)
    if (path !== null) return [key, ...path]
  }
  return null
}
