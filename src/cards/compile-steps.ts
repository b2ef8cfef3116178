/** Compiles the calls of a route: its own, those before it and those after it. */
import type { KeyPath } from '../lib/yaml-source.ts'
import type { Connection, RouteCall } from '../model/adapter.ts'
import type { FollowUp, Lookup } from '../model/card.ts'
import type { Route } from '../model/route.ts'
import { flagsIn, lookupMembers, namesAsked } from './asked-names.ts'
import { forEach } from './for-each.ts'
import { type AllPages, readAllPages } from './read-all.ts'
import { ownKeys, type RouteContext, sectionCompiler } from './route-context.ts'
import {
  type AllSource,
  FOLLOW_UP_KEYS,
  type FollowUpSource,
  LOOKUP_KEYS,
  type RouteSource,
} from './route-schema.ts'
import { optional } from './section.ts'

export const REQUEST = ['input', 'lookup']
export const REPLY = ['input', 'lookup', 'body', 'status', 'headers']

/** With `all`, one call makes a request for each page; with `each`, one for each member of a list. */
export function compileCall(
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

export function compileLookup(
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
    flags: flagsIn(context.card.input),
    each: optional(sectionCompiler(context, base, REQUEST), source.each, ['each']),
    call: compileCall(source, own, LOOKUP_KEYS, connection, base, reading),
    missing: optional(reply, source.missing, ['missing']),
    invalid: optional(reply, source.invalid, ['invalid']),
    conflict: optional(reply, source.conflict, ['conflict']),
    unsupported: optional(reply, source.unsupported, ['unsupported']),
    result: optional(reply, source.result, ['result']),
  }
}

export function compileFollowUp(
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
