import type { Connection, Expression } from '../adapter.ts'
import type { Route } from '../outcome.ts'
import type { Card, CardRoute, JsonSchema, Suggestion, Verify } from './card.ts'
import type { Problem } from './problem.ts'
import { reportSchemaErrors } from './report.ts'
import { CardSource, ROUTE_KEYS } from './schema.ts'
import { createSectionCompiler } from './section.ts'
import type { KeyPath, SourceFile } from './source.ts'
import type { Adapters, ConnectedUpstream } from './upstream.ts'
import { compileInput, compileOutput, compileSource } from './validate.ts'

const checkCard = compileSource(CardSource)

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
  return new CardCompiler(source, connected, adapters, problems).compile(before)
}

/** Holds what every step of compiling one card needs. */
class CardCompiler {
  readonly source: SourceFile
  readonly card: CardSource
  readonly connected: ConnectedUpstream
  readonly adapters: Adapters
  readonly problems: Problem[]
  readonly inputNames: readonly string[]

  constructor(
    source: SourceFile,
    connected: ConnectedUpstream,
    adapters: Adapters,
    problems: Problem[],
  ) {
    this.source = source
    this.card = source.value as CardSource
    this.connected = connected
    this.adapters = adapters
    this.problems = problems
    this.inputNames = Object.keys((this.card.input as { properties?: object }).properties ?? {})
  }

  compile(before: number): Card | null {
    const { card, source } = this
    const input = closed(card.input)
    const output = closed(card.output)
    const parseInput = this.schema('input', () => compileInput(card.id, input))
    const checkOutput = this.schema('output', () => compileOutput(output))
    const routes = this.routes()
    this.checkReferences()
    const verify = this.verify()
    const next = (card.next ?? []).map((_, index) => this.suggestion(index))
    const summary = this.optional(card.summary, ['summary'], ['input', 'data'])
    if (this.problems.length > before || !parseInput || !checkOutput) return null
    return {
      id: card.id,
      version: card.version,
      description: card.description,
      effect: card.effect,
      deprecated: card.deprecated ?? null,
      upstream: this.connected.upstream,
      file: source.file,
      input,
      output,
      routes,
      verify,
      page: card.page ?? null,
      list: card.list ? { path: card.list.path, rank: card.list.rank ?? null } : null,
      next,
      summary,
      parseInput,
      checkOutput,
    }
  }

  routes(): CardRoute[] {
    const { card } = this
    for (const route of Object.keys(card.routes)) {
      if (card.prefer.includes(route as Route)) continue
      this.problem(
        ['routes', route],
        'is never used',
        `Add "${route}" to prefer, or remove the route.`,
      )
    }
    return card.prefer.flatMap((route, index) => {
      if (!card.routes[route]) {
        this.problem(
          ['prefer', index],
          `names ${route}, which has no section`,
          `Add routes.${route}, or remove it from prefer.`,
        )
        return []
      }
      const connection = this.connected.connections.get(route)
      if (!connection) {
        this.problem(
          ['routes', route],
          `has no connection`,
          `Add a "${route}" section to upstream.yaml of ${this.connected.upstream.id}.`,
        )
        return []
      }
      const compiled = this.route(route, connection)
      return compiled ? [compiled] : []
    })
  }

  route(route: Route, connection: Connection): CardRoute | null {
    const section = this.card.routes[route]
    if (!section) return null
    const before = this.problems.length
    const { result, pages } = section
    const own = Object.fromEntries(Object.entries(section).filter(([key]) => !isEngineKey(key)))
    const check = compileSource(this.adapters[route].cardSchema)
    reportSchemaErrors(this.source, ['routes', route], check(own), this.problems)
    if (this.problems.length > before) return null
    const requestRoots = ['input', 'lookup', ...(pages ? ['page'] : [])]
    const resultRoots = [
      'input',
      'lookup',
      'body',
      'status',
      'headers',
      ...(pages ? ['items', 'pageInfo'] : []),
    ]
    const base = ['routes', route]
    const pool = this.card.pool?.[route]
    return {
      route,
      call: connection.compile(own, this.section(base, requestRoots)),
      result: this.section(base, resultRoots).expression(result, ['result']),
      pages: pages
        ? {
            items: this.section(base, ['body']).expression(pages.items ?? 'body', [
              'pages',
              'items',
            ]),
            keep: pages.keep ? this.free([...base, 'pages', 'keep'], pages.keep) : null,
          }
        : null,
      pool: pool ? `${this.connected.upstream.id}:${pool}` : null,
    }
  }

  /** Names in the card that must mean something elsewhere: a setting without effect is an error. */
  checkReferences(): void {
    const { card, connected } = this
    for (const [route, pool] of Object.entries(card.pool ?? {})) {
      if (!card.routes[route as Route])
        this.problem(['pool', route], 'names a route that the card lacks', 'Remove it.')
      if (!connected.upstream.pools.includes(pool)) {
        this.problem(
          ['pool', route],
          `names "${pool}", which is no pool of ${connected.upstream.id}`,
          `Use one of ${connected.upstream.pools.join(', ') || '(none)'}, or add it to pools in upstream.yaml.`,
        )
      }
    }
    for (const key of ['cursor', 'size'] as const) {
      const name = card.page?.[key]
      if (name !== undefined && !this.inputNames.includes(name)) {
        this.problem(
          ['page', key],
          `names "${name}", which the input lacks`,
          `Use one of ${this.inputNames.join(', ')}.`,
        )
      }
    }
    for (const [route, section] of Object.entries(card.routes)) {
      if (section?.pages && !card.page) {
        this.problem(
          ['routes', route, 'pages'],
          'needs page',
          'Add page: { cursor: after, size: first }.',
        )
      }
    }
    if (card.verify && card.effect === 'read') {
      this.problem(['verify'], 'has no effect on a read', 'Remove it, or correct effect.')
    }
  }

  verify(): Verify | null {
    const { verify } = this.card
    if (!verify) return null
    return {
      capability: verify.capability,
      input: this.section(['verify'], ['input']).expression(verify.input, ['input']),
      found: this.section(['verify'], ['input', 'data', 'started_at']).expression(verify.found, [
        'found',
      ]),
      settlesMs: verify.settles_ms,
    }
  }

  suggestion(index: number): Suggestion {
    const source = this.card.next?.[index]
    if (!source) throw new Error('unreachable')
    const section = this.section(['next', index], ['input', 'data'])
    return {
      capability: source.capability,
      input: section.expression(source.input, ['input']),
      when: source.when === undefined ? null : section.expression(source.when, ['when']),
      reason: source.reason ?? null,
    }
  }

  optional(text: string | undefined, path: KeyPath, roots: readonly string[]): Expression | null {
    return text === undefined ? null : this.section([], roots).expression(text, path)
  }

  /** An expression over something that the card cannot describe, such as one raw item. */
  free(path: KeyPath, text: string): Expression {
    const { source, problems } = this
    const section = createSectionCompiler({
      source,
      base: path,
      effect: null,
      names: null,
      problems,
    })
    return section.expression(text, [])
  }

  section(base: KeyPath, roots: readonly string[]) {
    const { source, problems, inputNames } = this
    const names = { roots, inputs: inputNames }
    return createSectionCompiler({ source, base, effect: this.card.effect, names, problems })
  }

  schema<T>(key: 'input' | 'output', compile: () => T): T | null {
    try {
      return compile()
    } catch (error) {
      this.problem(
        [key],
        `is not a usable JSON Schema: ${(error as Error).message}`,
        'Correct the keyword; a keyword without effect is refused.',
      )
      return null
    }
  }

  problem(path: KeyPath, message: string, fix: string): void {
    const { file } = this.source
    this.problems.push({
      file,
      line: this.source.lineOf(path),
      message: `${path.join('.')} ${message}`,
      fix,
    })
  }
}

function isEngineKey(key: string): boolean {
  return (ROUTE_KEYS as readonly string[]).includes(key)
}

/** An object schema that says nothing about other members means "no other members". */
function closed(schema: JsonSchema): JsonSchema {
  return 'additionalProperties' in schema ? schema : { ...schema, additionalProperties: false }
}
