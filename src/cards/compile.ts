import type { Problem } from '../lib/problem.ts'
import type { KeyPath, SourceFile } from '../lib/yaml-source.ts'
import type {
  Card,
  CardRoute,
  ConnectedUpstream,
  JsonSchema,
  List,
  Suggestion,
  Verify,
} from '../model/card.ts'
import type { Route } from '../model/route.ts'
import { compileRoute, type RouteContext, sectionCompiler } from './compile-route.ts'
import { reportSchemaErrors } from './report.ts'
import { CardSource } from './schema.ts'
import { isList, schemaAt } from './schema-path.ts'
import type { Adapters } from './upstream.ts'
import { compileInput, compileOutput, compileSource } from './validate.ts'

interface CardContext extends RouteContext {
  readonly connected: ConnectedUpstream
}

const checkCard = compileSource(CardSource)

/** What can be said of a card whose upstream cannot be used. */
export function checkCardForm(source: SourceFile, problems: Problem[]): void {
  reportSchemaErrors(source, [], checkCard(source.value), problems)
}

/** Compiles one card. All its faults are reported at once; null when there are any. */
export function compileCard(
  source: SourceFile,
  connected: ConnectedUpstream,
  adapters: Adapters,
  problems: Problem[],
): Card | null {
  const before = problems.length
  reportSchemaErrors(source, [], checkCard(source.value), problems)
  if (problems.length > before) return null
  const card = source.value as CardSource
  const inputs = Object.keys((card.input as { properties?: object }).properties ?? {})
  const upstream = connected.upstream.id
  const context: CardContext = { source, card, adapters, upstream, inputs, problems, connected }
  const input = closed(card.input)
  const output = closed(card.output)
  const { proven = false } = source
  const parseInput = usableSchema(context, 'input', () => compileInput(card.id, input, proven))
  const checkOutput = usableSchema(context, 'output', () => compileOutput(output, proven))
  const parts = {
    routes: compileRoutes(context),
    verify: compileVerify(context),
    list: compileList(context),
    next: compileSuggestions(context),
    summary: card.summary
      ? sectionCompiler(context, [], DATA).expression(card.summary, ['summary'])
      : null,
  }
  checkReferences(context)
  if (problems.length > before || !parseInput || !checkOutput) return null
  return {
    id: card.id,
    version: card.version,
    description: card.description,
    effect: card.effect,
    deprecated: card.deprecated ?? null,
    scope: card.scope ?? null,
    upstream: connected.upstream,
    file: source.file,
    input,
    output,
    page: card.page ?? null,
    notOffered: card.not_offered ?? {},
    ...parts,
    parseInput,
    checkOutput,
  }
}

const DATA = ['input', 'data']

function compileRoutes(context: CardContext): CardRoute[] {
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

function compileVerify(context: CardContext): Verify | null {
  const { verify } = context.card
  if (!verify) return null
  const onFound = sectionCompiler(context, ['verify'], null)
  return {
    capability: verify.capability,
    input: sectionCompiler(context, ['verify'], ['input']).expression(verify.input, ['input']),
    found: sectionCompiler(context, ['verify'], DATA).expression(verify.found, ['found']),
    created: onFound.expression(verify.created, ['created']),
    author: verify.author === undefined ? null : onFound.expression(verify.author, ['author']),
    viewer: verify.viewer ?? null,
    settlesMs: verify.settles_ms,
  }
}

function compileList(context: CardContext): List | null {
  const { list, output, page } = context.card
  if (!list) return null
  if (!isList(schemaAt(output, list.path))) {
    report(context, ['list', 'path'], 'names no array of the output', 'Name one, e.g. items.')
  }
  if (list.rank === undefined) return { path: list.path, rank: null }
  if (page) {
    const fix = 'Remove it: a cursor has to go on in the order of the upstream.'
    report(context, ['list', 'rank'], 'has no effect on a paged list', fix)
  }
  const rank = sectionCompiler(context, ['list'], null).expression(list.rank, ['rank'])
  return { path: list.path, rank }
}

function compileSuggestions(context: CardContext): Suggestion[] {
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

/** Settings that would have no effect are errors: whoever wrote them expected one. */
function checkReferences(context: CardContext): void {
  const { card, inputs } = context
  for (const [route, section] of Object.entries(card.routes)) {
    if (!card.prefer.includes(route as Route)) {
      report(
        context,
        ['routes', route],
        'is never used',
        `Add "${route}" to prefer, or remove the route.`,
      )
    }
    if (section?.pages && !card.page) {
      report(
        context,
        ['routes', route, 'pages'],
        'needs page',
        'Add page: { cursor: after, size: first }.',
      )
    }
  }
  for (const [key, name] of Object.entries(card.page ?? {})) {
    if (!inputs.includes(name)) {
      report(
        context,
        ['page', key],
        `names "${name}", which the input lacks`,
        `Use one of ${inputs.join(', ')}.`,
      )
    }
  }
  if (card.verify && card.effect === 'read') {
    report(context, ['verify'], 'has no effect on a read', 'Remove it, or correct effect.')
  }
  for (const route of Object.keys(card.not_offered ?? {})) {
    if (card.routes[route as Route]) {
      const fix = 'Remove it, or the route.'
      report(context, ['not_offered', route], 'names a route that the card has', fix)
    }
  }
  checkPools(context)
}

function checkPools(context: CardContext): void {
  const { pools, id } = context.connected.upstream
  for (const [route, pool] of Object.entries(context.card.pool ?? {})) {
    if (!context.card.routes[route as Route]) {
      report(context, ['pool', route], 'names a route that the card lacks', 'Remove it.')
    }
    if (!pools.includes(pool)) {
      const fix = `Use one of ${pools.join(', ') || '(none)'}, or add it to pools in upstream.yaml.`
      report(context, ['pool', route], `names "${pool}", which is no pool of ${id}`, fix)
    }
  }
}

function usableSchema<T>(
  context: CardContext,
  key: 'input' | 'output',
  compile: () => T,
): T | null {
  try {
    return compile()
  } catch (error) {
    const fix = 'Correct the keyword; one that has no effect is refused.'
    report(context, [key], `is not a usable JSON Schema: ${(error as Error).message}`, fix)
    return null
  }
}

function report(
  { source, problems }: CardContext,
  path: KeyPath,
  message: string,
  fix: string,
): [] {
  problems.push({
    file: source.file,
    line: source.lineOf(path),
    message: `${path.join('.')} ${message}`,
    fix,
  })
  return []
}

/** An object schema that says nothing about other members means "no other members". */
function closed(schema: JsonSchema): JsonSchema {
  return 'additionalProperties' in schema ? schema : { ...schema, additionalProperties: false }
}
