import type { KeyPath } from '../../lib/yaml-source.ts'

/** A call that a card makes, as its file says it. */
export type ApiCall = GraphqlCall | RestCall | UncheckedCall

export interface GraphqlCall {
  readonly kind: 'graphql'
  /** Where the document stands. */
  readonly at: KeyPath
  /** The document itself on the graphql route; on the cli route an expression tree with `query`. */
  readonly document: string | null
  readonly variables: unknown
}

export interface RestCall {
  readonly kind: 'rest'
  /** Where its path stands. */
  readonly at: KeyPath
  readonly method: unknown
  /** URI templates, of which one is used. */
  readonly templates: readonly string[]
  /** Parameter → expression; null where they are part of `target`. */
  readonly query: { readonly at: KeyPath; readonly tree: unknown } | null
  /** An expression that gives path and query as they are sent. */
  readonly target: string | null
  readonly body: { readonly at: KeyPath; readonly tree: unknown } | null
}

/** What cannot be checked here, and why. */
export interface UncheckedCall {
  readonly kind: 'unchecked'
  readonly at: KeyPath
  readonly problem: string | null
}

type Section = Readonly<Record<string, unknown>>

/** Every call of every route of a card: the main one, its lookups, and the steps after it. */
export function callsOf(card: unknown): ApiCall[] {
  const routes = (card as { routes: Record<string, Section> }).routes
  return Object.entries(routes).flatMap(([route, section]) => {
    const at = ['routes', route]
    const parts = ['lookup', 'then'].flatMap(key =>
      Object.entries((section[key] ?? {}) as Record<string, Section>).map(
        ([name, part]) => [part, [...at, key, name]] as const,
      ),
    )
    return [[section, at] as const, ...parts].map(([part, path]) => callOf(route, part, path))
  })
}

function callOf(route: string, section: Section, at: KeyPath): ApiCall {
  switch (route) {
    case 'graphql':
      if (section.document_from !== undefined) return ofTheCaller([...at, 'document_from'])
      return {
        kind: 'graphql',
        at: [...at, 'document'],
        document: String(section.document),
        variables: section.variables ?? {},
      }
    case 'rest':
      return {
        kind: 'rest',
        at: [...at, 'path'],
        method: section.method,
        templates: [String(section.path)],
        query: { at: [...at, 'query'], tree: section.query ?? {} },
        target: null,
        body: section.body === undefined ? null : { at: [...at, 'body'], tree: section.body },
      }
    default:
      return ghCall(section, at)
  }
}

/** A document that the caller gives as input: there is none in the card to hold against a schema. */
function ofTheCaller(at: KeyPath): UncheckedCall {
  return { kind: 'unchecked', at, problem: null }
}

/** `gh api PATH` and `gh api graphql`. Other commands of gh make requests of their own, which are gh's business. */
function ghCall(section: Section, at: KeyPath): ApiCall {
  const [command, subcommand] = section.command as string[]
  if (command !== 'api') return { kind: 'unchecked', at, problem: null }
  const options = (section.options ?? {}) as Section
  if ('field' in options || 'raw-field' in options) {
    const problem = 'gives fields as options, which no schema can be asked about'
    return { kind: 'unchecked', at: [...at, 'options'], problem }
  }
  const [target = ''] = (section.positionals ?? []) as string[]
  const stdin = { at: [...at, 'stdin'], tree: section.stdin }
  if (subcommand === 'graphql' || target.trim() === "'graphql'") {
    const { query } = (section.stdin ?? {}) as Section
    if (typeof query === 'string' && /^\s*input\.\w+\s*$/.test(query)) return ofTheCaller(stdin.at)
    return { kind: 'graphql', at: stdin.at, document: null, variables: section.stdin }
  }
  const [, method = null] = /^'([A-Z]+)'$/.exec(String(options.method)) ?? []
  return {
    kind: 'rest',
    at: [...at, 'positionals', 0],
    method,
    templates: templatesIn(target),
    query: null,
    target,
    body: section.stdin === undefined ? null : stdin,
  }
}

/** The templates of `uri('…', …)`, or literal paths. */
function templatesIn(expression: string): string[] {
  const uris = [...expression.matchAll(/\buri\(\s*'([^']*)'/g)].map(
    ([, template]) => template ?? '',
  )
  if (uris.length > 0) return uris
  const [, literal] = /^\s*'([^']*)'\s*$/.exec(expression) ?? []
  return literal === undefined ? [] : [literal]
}
