import type { KeyPath } from '../../lib/yaml-source.ts'

/** A call that a card makes, read from its file. */
export type ApiCall = GraphqlCall | RestCall | UncheckedCall

export interface GraphqlCall {
  readonly kind: 'graphql'
  /** Place of the document in the file. */
  readonly at: KeyPath
  /** The document; null on the cli route, where the expression in `variables` includes it as `query`. */
  readonly document: string | null
  readonly variables: unknown
}

export interface RestCall {
  readonly kind: 'rest'
  /** Place of the path in the file. */
  readonly at: KeyPath
  readonly method: unknown
  /** URI templates; an expression may choose between several. */
  readonly templates: readonly string[]
  /** Parameter → expression; null when `target` includes the parameters. */
  readonly query: { readonly at: KeyPath; readonly tree: unknown } | null
  /** An expression for path and query together, as `gh api` sends them. */
  readonly target: string | null
  readonly body: { readonly at: KeyPath; readonly tree: unknown } | null
}

/** A call that cannot be compared with a schema. */
export interface UncheckedCall {
  readonly kind: 'unchecked'
  readonly at: KeyPath
  /** The fix for the author; null when nothing is wrong with the call. */
  readonly problem: string | null
}

type Section = Readonly<Record<string, unknown>>

/** Lists every call of every route of a card: the main call, its lookups, and its follow-up requests. */
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
      return graphqlCall(section, at)
    case 'rest':
      return restCall(section, at)
    default:
      return ghCall(section, at)
  }
}

function graphqlCall(section: Section, at: KeyPath): ApiCall {
  if (section.document_from !== undefined) return unchecked([...at, 'document_from'])
  return {
    kind: 'graphql',
    at: [...at, 'document'],
    document: String(section.document),
    variables: section.variables ?? {},
  }
}

function restCall(section: Section, at: KeyPath): RestCall {
  return {
    kind: 'rest',
    at: [...at, 'path'],
    method: section.method,
    templates: [String(section.path)],
    query: { at: [...at, 'query'], tree: section.query ?? {} },
    target: null,
    body: section.body === undefined ? null : { at: [...at, 'body'], tree: section.body },
  }
}

/** Checks `gh api PATH` and `gh api graphql` only: gh itself decides what its other commands request. */
function ghCall(section: Section, at: KeyPath): ApiCall {
  const [command, subcommand] = section.command as string[]
  if (command !== 'api') return unchecked(at)
  const options = (section.options ?? {}) as Section
  if ('field' in options || 'raw-field' in options) {
    const problem = 'passes fields as options, which cannot be compared with a schema'
    return unchecked([...at, 'options'], problem)
  }
  const [target = ''] = (section.positionals ?? []) as string[]
  const isGraphql = subcommand === 'graphql' || target.trim() === "'graphql'"
  return isGraphql ? ghGraphqlCall(section, at) : ghRestCall(section, target, at)
}

function ghGraphqlCall(section: Section, path: KeyPath): ApiCall {
  const at = [...path, 'stdin']
  const stdin = (section.stdin ?? {}) as Section
  const { query } = stdin
  // The caller's input is the whole document, so the card has none to check.
  if (typeof query === 'string' && /^\s*input\.\w+\s*$/.test(query)) return unchecked(at)
  return { kind: 'graphql', at, document: null, variables: stdin }
}

function ghRestCall({ options, stdin }: Section, target: string, at: KeyPath): RestCall {
  const [, method = null] = /^'([A-Z]+)'$/.exec(String((options as Section | null)?.method)) ?? []
  return {
    kind: 'rest',
    at: [...at, 'positionals', 0],
    method,
    templates: templatesIn(target),
    query: null,
    target,
    body: stdin === undefined ? null : { at: [...at, 'stdin'], tree: stdin },
  }
}

function unchecked(at: KeyPath, problem: string | null = null): UncheckedCall {
  return { kind: 'unchecked', at, problem }
}

/** The templates in `uri('…', …)`, or a literal path. */
function templatesIn(expression: string): string[] {
  const uris = [...expression.matchAll(/\buri\(\s*'([^']*)'/g)].map(
    ([, template]) => template ?? '',
  )
  if (uris.length > 0) return uris
  const [, literal] = /^\s*'([^']*)'\s*$/.exec(expression) ?? []
  return literal === undefined ? [] : [literal]
}
