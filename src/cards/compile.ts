import { isObject } from '../lib/is-object.ts'
import { addLate, type Makers, makeAll, once } from '../lib/late.ts'
import type { Problem } from '../lib/problem.ts'
import type { KeyPath, SourceFile } from '../lib/yaml-source.ts'
import type { Card, CardRoute, JsonSchema, List, Suggestion, Verify } from '../model/card.ts'
import { parseCardPattern } from '../model/card-pattern.ts'
import type { Expression } from '../model/expression.ts'
import { checkCalls } from './check-calls.ts'
import { checkReferences } from './check-references.ts'
import { schemaProblem } from './check-schema.ts'
import { compileRoute } from './compile-route.ts'
import { digestOf } from './digest.ts'
import { reportProblem, reportSchemaErrors, soundly } from './report.ts'
import { type RouteContext, sectionCompiler } from './route-context.ts'
import { CardSource } from './schema.ts'
import { isList, schemaAt } from './schema-path.ts'
import { compileTexts } from './texts.ts'
import type { Adapters, LoadedUpstream } from './upstream.ts'
import { upstreamNames } from './upstream-names.ts'
import { compileInput, compileOutput, compileSource } from './validate.ts'

const checkCard = compileSource(CardSource)

type Report = (path: KeyPath, message: string, fix: string) => void

/** Finds the faults of a card that show without its upstream. */
export function checkCardForm(source: SourceFile, problems: Problem[]): void {
  reportSchemaErrors(source, [], checkCard(source.value), problems)
}

/** Compiles one card. Reports all its faults at once; null when there are any. */
export function compileCard(
  source: SourceFile,
  connected: LoadedUpstream,
  adapters: Adapters,
  problems: Problem[],
): Card | null {
  const before = problems.length
  const value = inlineSchemas(source, connected, problems)
  if (!source.proven) reportSchemaErrors(source, [], checkCard(value), problems)
  if (problems.length > before) return null
  const card = value as CardSource
  const inputs = Object.keys((card.input as { properties?: object }).properties ?? {})
  const context: RouteContext = { source, card, adapters, connected, inputs, problems }
  const names = once(() => upstreamNames(card.routes, inputs, connected.upstream.place))
  const schemas = compileSchemas(context, names)
  const { upstream } = connected
  const digest = once(() => digestOf(card))
  const own = { ...describe(card), upstream, file: source.file, digest, ...schemas }
  const parts = { upstreamNames: names, ...partsOf(context) }
  // Most processes call few of the cards, and the faults of these are known.
  if (source.proven) return addLate(own, soundly(parts, problems)) as Card
  const made = makeAll(parts)
  const reportFault: Report = (...fault) => report(context, ...fault)
  checkReferences(card, inputs, upstream, reportFault)
  checkCalls(card, inputs, reportFault)
  return problems.length > before || !schemas ? null : ({ ...own, ...made } as Card)
}

/** The card with the shared schemas of its upstream written out. */
function inlineSchemas(
  source: SourceFile,
  { schemas }: LoadedUpstream,
  problems: Problem[],
): unknown {
  const { value } = source
  if (!isObject(value)) return value
  const inline = (key: 'input' | 'output') =>
    isObject(value[key]) ? { [key]: schemas.inline(value[key], [key], source, problems) } : {}
  return { ...value, ...inline('input'), ...inline('output') }
}

/** The members that need no compiling. */
function describe(card: CardSource) {
  return {
    id: card.id,
    version: card.version,
    description: card.description,
    effect: card.effect,
    deprecated: card.deprecated ?? null,
    destructive: card.destructive ?? false,
    timeoutMs: card.timeout_ms ?? null,
    scope: card.scope ?? null,
    touches: card.touches?.map(parseCardPattern) ?? null,
    page: card.page ?? null,
    notOffered: card.not_offered ?? {},
  }
}

/** Null when one of the two is not usable. */
function compileSchemas(context: RouteContext, names: () => ReadonlyMap<string, string>) {
  const { card } = context
  const input = closed(card.input)
  const output = closed(card.output)
  const areUsable = [isUsable(context, 'input', input), isUsable(context, 'output', output)]
  if (areUsable.includes(false)) return null
  return {
    input,
    output,
    parseInput: compileInput(card.id, input, names),
    checkOutput: compileOutput(output),
  }
}

function isUsable(context: RouteContext, key: 'input' | 'output', schema: JsonSchema): boolean {
  const { proven, thorough = false } = context.source
  if (proven) return true
  const problem = schemaProblem(schema, thorough)
  if (problem !== null) report(context, [key, ...problem.path], problem.message, problem.fix)
  return problem === null
}

/** An object schema without `additionalProperties` allows no other members. */
function closed(schema: JsonSchema): JsonSchema {
  return 'additionalProperties' in schema ? schema : { ...schema, additionalProperties: false }
}

const DATA = ['input', 'data']
const VERIFY = ['input', 'since']

type Parts = Pick<
  Card,
  'routes' | 'verify' | 'state' | 'list' | 'next' | 'summary' | 'lacks' | 'quotas' | 'texts'
>

function partsOf(context: RouteContext): Makers<Parts> {
  return {
    routes: () => compileRoutes(context),
    verify: () => compileVerify(context),
    state: () => compileState(context),
    list: () => compileList(context),
    next: () => compileSuggestions(context),
    summary: () => onData(context, 'summary'),
    quotas: () => compileQuotas(context),
    lacks: () => compileLacks(context),
    texts: () => {
      const section = sectionCompiler(context, ['untrusted'], ['input'])
      return compileTexts(context.card, section, context.connected.upstream.texts)
    },
  }
}

/** An expression of the card over `input` and `data`; null if the card has none. */
function onData(context: RouteContext, key: 'summary' | 'lacks' | 'quotas'): Expression | null {
  const source = context.card[key]
  return source ? sectionCompiler(context, [], DATA).expression(source, [key]) : null
}

function compileLacks(context: RouteContext): Expression | null {
  const { lacks, effect } = context.card
  if (lacks && effect === 'read') {
    report(context, ['lacks'], 'speaks of a change, but the card says effect: read', 'Remove it.')
  }
  return onData(context, 'lacks')
}

function compileQuotas(context: RouteContext): Expression | null {
  const { quotas, effect } = context.card
  if (quotas && effect !== 'read') {
    report(context, ['quotas'], `needs a read, but the card says effect: ${effect}`, 'Remove it.')
  }
  return onData(context, 'quotas')
}

function compileRoutes(context: RouteContext): CardRoute[] {
  const { card, connected } = context
  return card.prefer.flatMap((route, index) => {
    const section = card.routes[route]
    const connection = connected.connections.get(route)
    if (!section) {
      const fix = `Add routes.${route}, or remove it from prefer.`
      return report(context, ['prefer', index], `names ${route}, which has no section`, fix)
    }
    if (!connection) {
      const fix = `Add a "${route}" section to upstream.yaml of ${connected.upstream.id}.`
      return report(context, ['routes', route], 'has no connection', fix)
    }
    return compileRoute(route, section, connection, context) ?? []
  })
}

function compileVerify(context: RouteContext): Verify | null {
  const { verify } = context.card
  if (!verify) return null
  const onFound = sectionCompiler(context, ['verify'], null)
  return {
    capability: verify.capability,
    input: sectionCompiler(context, ['verify'], VERIFY).expression(verify.input, ['input']),
    found: sectionCompiler(context, ['verify'], DATA).expression(verify.found, ['found']),
    created: onFound.expression(verify.created, ['created']),
    author: verify.author === undefined ? null : onFound.expression(verify.author, ['author']),
    viewer: verify.viewer ?? null,
    identity: identityOf(verify, context),
    settlesMs: verify.settles_ms,
  }
}

function identityOf(
  { identity }: { identity?: string[] },
  context: RouteContext,
): readonly string[] {
  const names = Object.keys((context.card.output as JsonSchema).properties ?? {})
  for (const [index, name] of (identity ?? []).entries()) {
    if (names.includes(name)) continue
    const fix = `Use some of ${names.join(', ')}.`
    report(context, ['verify', 'identity', index], `names "${name}", which the output lacks`, fix)
  }
  return identity ?? names
}

function compileState(context: RouteContext): Card['state'] {
  const { state } = context.card
  if (!state || state === 'none') return state ?? null
  const section = sectionCompiler(context, ['state'], ['input'])
  return { capability: state.capability, input: section.expression(state.input, ['input']) }
}

function compileList(context: RouteContext): List | null {
  const { list, output } = context.card
  if (!list) return null
  if (!isList(schemaAt(output, list.path))) {
    report(context, ['list', 'path'], 'names no array of the output', 'Name one, e.g. items.')
  }
  const rank =
    list.rank === undefined
      ? null
      : sectionCompiler(context, ['list'], null).expression(list.rank, ['rank'])
  return { path: list.path, rank }
}

function compileSuggestions(context: RouteContext): Suggestion[] {
  return (context.card.next ?? []).map(({ capability, input, when, reason }, index) => {
    const section = sectionCompiler(context, ['next', index], DATA)
    return {
      capability,
      input: section.expression(input, ['input']),
      when: when === undefined ? null : section.expression(when, ['when']),
      reason: reason ?? null,
    }
  })
}

function report(
  { source, problems }: RouteContext,
  path: KeyPath,
  message: string,
  fix: string,
): [] {
  reportProblem(source, path, message, fix, problems)
  return []
}
