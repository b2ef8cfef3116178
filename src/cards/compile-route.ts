import { addLate, type Makers, makeAll } from '../lib/late.ts'
import type { Problem } from '../lib/problem.ts'
import type { KeyPath, SourceFile } from '../lib/yaml-source.ts'
import type { Connection, RouteCall, SectionCompiler } from '../model/adapter.ts'
import { breakerKey } from '../model/breaker.ts'
import type { CardRoute, FollowUp, Lookup, Pages } from '../model/card.ts'
import { FULL_PAGE } from '../model/card.ts'
import type { Needs } from '../model/credential.ts'
import type { Expression } from '../model/expression.ts'
import { poolName } from '../model/pool.ts'
import type { Route } from '../model/route.ts'
import { lookupMembers, namesAsked } from './asked-names.ts'
import { forEach } from './for-each.ts'
import { compileNeeds } from './needs.ts'
import { type AllPages, readAllPages } from './read-all.ts'
import { reportProblem, reportSchemaErrors, soundly } from './report.ts'
import {
  type AllSource,
  FOLLOW_UP_KEYS,
  type FollowUpSource,
  LOOKUP_KEYS,
  type PagesSource,
  ROUTE_KEYS,
  type RouteSource,
} from './route-schema.ts'
import type { CardSource } from './schema.ts'
import { createSectionCompiler, optional } from './section.ts'
import type { Adapters, LoadedUpstream } from './upstream.ts'
import { compileSource } from './validate.ts'

export interface RouteContext {
  readonly source: SourceFile
  readonly card: CardSource
  readonly adapters: Adapters
  readonly connected: LoadedUpstream
  /** Members of the card's input: expressions that read others are faults. */
  readonly inputs: readonly string[]
  readonly problems: Problem[]
}

const REQUEST = ['input', 'lookup']
const REPLY = ['input', 'lookup', 'body', 'status', 'headers']
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

function compileLookup(
  route: Route,
  name: string,
  source: NonNullable<RouteSource['lookup']>[string],
  connection: Connection,
  context: RouteContext,
): Lookup | null {
  const base = ['routes', route, 'lookup', name]
  const own = ownKeys(route, source, LOOKUP_KEYS, base, context)
  if (!own) return null
  const reply = sectionCompiler(context, base, REPLY)
  // A lookup always reads, also in a card that writes.
  const reading = { ...context, card: { ...context.card, effect: 'read' as const } }
  return {
    name,
    ...lookupMembers(source, context.inputs, context.connected.upstream.place),
    each: optional(sectionCompiler(context, base, REQUEST), source.each, ['each']),
    call: compileCall(source, own, LOOKUP_KEYS, connection, base, reading),
    missing: optional(reply, source.missing, ['missing']),
    invalid: optional(reply, source.invalid, ['invalid']),
    conflict: optional(reply, source.conflict, ['conflict']),
    unsupported: optional(reply, source.unsupported, ['unsupported']),
    result: optional(reply, source.result, ['result']),
  }
}

/** With `all`, one call makes a request for each page; with `each`, one for each member of a list. */
function compileCall(
  section: Pick<RouteSource, 'pages' | 'all' | 'each'>,
  own: object,
  engineKeys: readonly string[],
  connection: Connection,
  base: KeyPath,
  context: RouteContext,
): RouteCall {
  const { pages, all, each } = section
  const roots = [...REQUEST, ...(pages || all ? ['page'] : []), ...(each ? ['item'] : [])]
  const asked = namesAsked(section, engineKeys, context.card.output)
  const call = connection.compile(own, {
    ...sectionCompiler(context, base, roots),
    asked,
    input: context.card.input,
  })
  const whole = all ? readAllPages(call, compileAll(all, [...base, 'all'], context)) : call
  if (each === undefined) return whole
  const list = sectionCompiler(context, base, REQUEST)
  if (context.card.effect === 'write') {
    const fix = 'Remove it, or set effect: idempotent if the card can be repeated.'
    list.problem(['each'], 'could stop a write halfway, and a write cannot be repeated', fix)
  }
  return forEach(whole, list.expression(each, ['each']))
}

function compileAll({ items, next }: AllSource, base: KeyPath, context: RouteContext): AllPages {
  const page = sectionCompiler(context, base, ['body'])
  const answer = sectionCompiler(context, base, ['body', 'headers'])
  return { items: page.expression(items, ['items']), next: optional(answer, next, ['next']) }
}

function compileFollowUp(
  route: Route,
  name: string,
  source: FollowUpSource,
  connection: Connection,
  context: RouteContext,
): FollowUp | null {
  const base = ['routes', route, 'then', name]
  const own = ownKeys(route, source, FOLLOW_UP_KEYS, base, context)
  const seen = [...REPLY, 'then']
  const section = sectionCompiler(context, base, seen)
  const ofMember = sectionCompiler(context, base, [...seen, 'item'])
  const effect = source.effect ?? 'write'
  if (context.card.effect === 'read') {
    section.problem([], 'writes, but the card says effect: read', 'Remove it, or correct effect.')
  }
  if (context.card.effect === 'idempotent' && effect === 'write') {
    const fix =
      'Set effect: idempotent for the step if it can be repeated, else effect: write for the card.'
    section.problem([], 'cannot be repeated, but the card says effect: idempotent', fix)
  }
  if (!own) return null
  return {
    name,
    call: connection.compile(own, source.each === undefined ? section : ofMember),
    effect,
    when: optional(section, source.when, ['when']),
    purpose: source.purpose,
    each: optional(section, source.each, ['each']),
    subject: optional(ofMember, source.subject, ['subject']),
  }
}

/** The keys of a section that its adapter reads, checked against the adapter's schema. Null when they have faults. */
function ownKeys(
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
  const names = roots && { roots, inputs }
  return createSectionCompiler({ source, base, effect: card.effect, names, constants, problems })
}
