import { addLate, type Makers, makeAll } from '../lib/late.ts'
import type { KeyPath } from '../lib/yaml-source.ts'
import type { Connection, SectionCompiler } from '../model/adapter.ts'
import { breakerKey } from '../model/breaker.ts'
import type { CardRoute, Pages } from '../model/card.ts'
import { FULL_PAGE } from '../model/card.ts'
import type { Needs } from '../model/credential.ts'
import type { Expression } from '../model/expression.ts'
import { poolName } from '../model/pool.ts'
import type { Route } from '../model/route.ts'
import { compileCall, compileFollowUp, compileLookup, REPLY } from './compile-steps.ts'
import { compileNeeds } from './needs.ts'
import { reportProblem, soundly } from './report.ts'
import { ownKeys, type RouteContext, sectionCompiler } from './route-context.ts'
import { type PagesSource, ROUTE_KEYS, type RouteSource } from './route-schema.ts'
import { optional } from './section.ts'

const PAGED = ['items', 'pageInfo', 'scan']

/** Compiles one route section of a card. The adapter compiles its own keys, this module the others. */
export function compileRoute(
  route: Route,
  section: RouteSource,
  connection: Connection,
  context: RouteContext,
): CardRoute | null {
  const own = ownKeys(route, section, ROUTE_KEYS, ['routes', route], context)
  if (!own) return null
  const { id } = context.connected.upstream
  const pool = context.card.pool?.[route]
  const names = { route, pool: pool ? poolName(id, pool) : null, breaker: breakerKey(id, route) }
  const parts = partsOf({ route, section, own, connection }, context)
  return context.source.proven
    ? addLate(names, soundly(parts, context.problems))
    : { ...names, ...makeAll(parts) }
}

interface RouteParts {
  readonly route: Route
  readonly section: RouteSource
  /** The keys that the adapter reads. */
  readonly own: object
  readonly connection: Connection
}

function partsOf(
  { route, section, own, connection }: RouteParts,
  context: RouteContext,
): Makers<Omit<CardRoute, 'route' | 'pool' | 'breaker'>> {
  const base = ['routes', route]
  const { pages, lookup = {}, then } = section
  const paged = pages ? PAGED : []
  const result = [...REPLY, ...paged, ...(then ? ['then'] : [])]
  const reply = () => sectionCompiler(context, base, [...REPLY, ...paged])
  return {
    lookups: () =>
      Object.entries(lookup).flatMap(
        ([name, source]) => compileLookup(route, name, source, connection, context) ?? [],
      ),
    followUps: () =>
      Object.entries(then ?? {}).flatMap(
        ([name, source]) => compileFollowUp(route, name, source, connection, context) ?? [],
      ),
    when: () => compileWhen(section.when, [...base, 'when'], context),
    call: () => compileCall(section, own, ROUTE_KEYS, connection, base, context),
    result: () => sectionCompiler(context, base, result).expression(section.result, ['result']),
    missing: () => optional(reply(), section.missing, ['missing']),
    unsupported: () => compileUnsupported(section, reply(), context),
    pages: () => (pages ? compilePages(pages, [...base, 'pages'], context) : null),
    needs: () => needsOf(section, base, context),
  }
}

/** The section's own needs, else those of the card, else those of the upstream. */
function needsOf(
  { needs }: RouteSource,
  base: KeyPath,
  { card, connected, source, problems }: RouteContext,
): Needs {
  const { upstream } = connected
  const own = needs ?? card.needs
  if (own === undefined) return upstream.needs
  const path = needs === undefined ? ['needs'] : [...base, 'needs']
  return compileNeeds(own, upstream.schemes, path, (...fault) =>
    reportProblem(source, ...fault, problems),
  )
}

/** Another route may repeat a read, but not a write that has been applied. */
function compileUnsupported(
  { unsupported }: RouteSource,
  reply: SectionCompiler,
  { card }: RouteContext,
): Expression | null {
  if (unsupported !== undefined && card.effect !== 'read') {
    const fix = 'Put it into a lookup, which runs before the write.'
    reply.problem(['unsupported'], 'comes too late: the write has been applied', fix)
  }
  return optional(reply, unsupported, ['unsupported'])
}

function compileWhen(
  source: RouteSource['when'],
  base: KeyPath,
  context: RouteContext,
): CardRoute['when'] {
  if (!source) return null
  const section = sectionCompiler(context, base, ['input'])
  return { test: section.expression(source.test, ['test']), reason: source.reason }
}

function compilePages(source: PagesSource, base: KeyPath, context: RouteContext): Pages {
  const page = sectionCompiler(context, base, ['body'])
  // The card declares no schema for raw items, so their names cannot be checked.
  const item = sectionCompiler(context, base, null)
  const input = sectionCompiler(context, base, ['input'])
  const cursor = optional(item, source.cursor, ['cursor'])
  const more = optional(page, source.more, ['more'])
  return {
    items: page.expression(source.items, ['items']),
    keep: optional(item, source.keep, ['keep']),
    keepWhen: optional(input, source.keep_when, ['keep_when']),
    after: cursor && more ? { cursor, more } : null,
    largest: source.largest ?? FULL_PAGE,
    linksNext: context.connected.upstream.linksNext,
    whole: source.whole ?? false,
  }
}
