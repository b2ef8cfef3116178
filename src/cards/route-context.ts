import type { ExpressionNames } from '../expressions/expression.ts'
import type { Problem } from '../lib/problem.ts'
import type { KeyPath, SourceFile } from '../lib/yaml-source.ts'
import type { SectionCompiler } from '../model/adapter.ts'
import type { Route } from '../model/route.ts'
import { reportSchemaErrors } from './report.ts'
import type { CardSource } from './schema.ts'
import { createSectionCompiler } from './section.ts'
import type { Adapters, LoadedUpstream } from './upstream.ts'
import { compileSource } from './validate.ts'

/** All that the parts of a card's routes are compiled with. */
export interface RouteContext {
  readonly source: SourceFile
  readonly card: CardSource
  readonly adapters: Adapters
  readonly connected: LoadedUpstream
  /** Members of the card's input: expressions that read others are faults. */
  readonly inputs: readonly string[]
  readonly problems: Problem[]
}

/** The keys of a section that its adapter reads, checked against the adapter's schema. Null when they have faults. */
export function ownKeys(
  route: Route,
  section: object,
  engineKeys: readonly string[],
  base: KeyPath,
  { source, adapters, problems }: RouteContext,
): object | null {
  const own = Object.fromEntries(
    Object.entries(section).filter(([key]) => !engineKeys.includes(key)),
  )
  if (source.proven) return own
  const errors = compileSource(adapters[route].cardSchema)(own)
  reportSchemaErrors(source, base, errors, problems)
  return errors.length > 0 ? null : own
}

export function sectionCompiler(
  { source, card, inputs, problems, connected }: Omit<RouteContext, 'adapters'>,
  base: KeyPath,
  roots: readonly string[] | null,
): SectionCompiler {
  const { constants } = connected
  const names = roots && { roots, inputs, ...namesBefore(card, base) }
  return createSectionCompiler({ source, base, effect: card.effect, names, constants, problems })
}

/** The lookups and steps that have run before an expression of a route, by the place of its section. */
function namesBefore(
  { routes }: RouteContext['card'],
  [, route, kind, name]: KeyPath,
): Pick<ExpressionNames, 'lookups' | 'steps'> {
  const { lookup = {}, then = {} } = routes[route as Route] ?? {}
  const [lookups, steps] = [Object.keys(lookup), Object.keys(then)]
  const before = (names: readonly string[]) => names.slice(0, names.indexOf(String(name)))
  return {
    lookups: kind === 'lookup' ? before(lookups) : lookups,
    steps: kind === 'then' ? before(steps) : steps,
  }
}
