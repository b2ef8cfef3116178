import { compileFailureRule } from '../expressions/failure-rules.ts'
import type { Problem } from '../lib/problem.ts'
import type { KeyPath, SourceFile } from '../lib/yaml-source.ts'
import type { Adapter, Connection } from '../model/adapter.ts'
import type { ConnectedUpstream, Upstream } from '../model/card.ts'
import type { Environment } from '../model/environment.ts'
import type { FailureRule, FailureRuleSource } from '../model/failure-rule.ts'
import type { Route } from '../model/route.ts'
import { ROUTES } from '../model/route.ts'
import { type Explain, reportSchemaErrors } from './report.ts'
import { UpstreamSource } from './schema.ts'
import { createSectionCompiler } from './section.ts'
import { compileSource } from './validate.ts'

export type Adapters = Readonly<Record<Route, Adapter>>

export interface UpstreamOptions {
  readonly adapters: Adapters
  readonly env: Environment
  readonly now: () => number
  /** Reads a shipped set of failure rules, or null when there is none of that name. */
  readonly failurePack: (name: string) => readonly FailureRuleSource[] | null
  readonly problems: Problem[]
}

const checkUpstream = compileSource(UpstreamSource)

/** Reads an `upstream.yaml` and opens a connection for each of its routes. Null when it has problems. */
export function connectUpstream(
  source: SourceFile,
  options: UpstreamOptions,
): ConnectedUpstream | null {
  const { problems, adapters } = options
  const before = problems.length
  const value = interpolate(source.value, options.env)
  const explain = explainUnset(source, options.env)
  reportSchemaErrors(source, [], checkUpstream(value), problems, explain)
  if (problems.length > before) return null
  const file = value as UpstreamSource
  const rules = failureRules(file, source, options)
  const connections = new Map<Route, Connection>()
  for (const route of ROUTES) {
    const section = file[route]
    if (!section) continue
    reportSchemaErrors(
      source,
      [route],
      compileSource(adapters[route].upstreamSchema)(section),
      problems,
      explain,
    )
    if (problems.length > before) continue
    const compiler = sectionCompiler(source, [route], problems)
    connections.set(
      route,
      adapters[route].connect(section, {
        upstream: file.id,
        rules,
        compiler,
        now: options.now,
        searchPath: options.env.PATH ?? '',
      }),
    )
  }
  const upstream = describeUpstream(file, source, options)
  return problems.length > before ? null : { upstream, connections }
}

function describeUpstream(
  file: UpstreamSource,
  source: SourceFile,
  { env, problems }: UpstreamOptions,
): Upstream {
  const names = file.credential?.env ?? []
  const address =
    (file.rest as { base_url?: string })?.base_url ?? (file.graphql as { url?: string })?.url
  return {
    id: file.id,
    description: file.description ?? null,
    baseUrl: address === undefined ? null : withoutCredentials(address),
    workspaceOf: compileWorkspace(file, source, problems),
    token: names.map(name => env[name]).find(token => token) ?? null,
    tokenNames: names,
    passthrough: file.credential?.passthrough ?? false,
    credentialRequired: file.credential !== undefined && file.credential.required !== false,
    pools: Object.keys(file.pools ?? {}),
  }
}

function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return address
  const { origin, pathname } = new URL(address)
  return pathname === '/' ? origin : `${origin}${pathname}`
}

function compileWorkspace(
  { workspace }: UpstreamSource,
  source: SourceFile,
  problems: Problem[],
): Upstream['workspaceOf'] {
  if (workspace === undefined) return () => null
  const names = { roots: ['input'], inputs: null }
  const section = createSectionCompiler({ source, base: [], effect: null, names, problems })
  const expression = section.expression(workspace, ['workspace'])
  return input => {
    try {
      const name = expression({ input })
      return typeof name === 'string' ? name : null
    } catch {
      // Not every capability of an upstream is about such a thing.
      return null
    }
  }
}

function failureRules(
  file: UpstreamSource,
  source: SourceFile,
  { failurePack, problems }: UpstreamOptions,
): FailureRule[] {
  const compiler = sectionCompiler(source, ['failures'], problems)
  const compileRule = (rule: FailureRuleSource, path: KeyPath): FailureRule[] => {
    const body =
      rule.when.body === undefined
        ? null
        : compiler.expression(rule.when.body, [...path, 'when', 'body'])
    try {
      return [compileFailureRule(rule, body)]
    } catch (error) {
      compiler.problem(
        path,
        `does not compile: ${(error as Error).message}`,
        'Correct the regular expression.',
      )
      return []
    }
  }
  const own = (file.failures ?? []).flatMap((rule, index) => compileRule(rule, [index]))
  const packs = (file.failure_packs ?? []).flatMap((name, index) => {
    const rules = failurePack(name)
    if (rules) return rules.flatMap(rule => compileRule(rule, []))
    problems.push({
      file: source.file,
      line: source.lineOf(['failure_packs', index]),
      message: `failure_packs names "${name}", which is not shipped`,
      fix: 'Name one of capabilities/rules/*.yaml, or write the rules under failures.',
    })
    return []
  })
  return [...own, ...packs]
}

function sectionCompiler(source: SourceFile, base: KeyPath, problems: Problem[]) {
  const names = { roots: ['body', 'status', 'headers'], inputs: null }
  return createSectionCompiler({ source, base, effect: null, names, problems })
}

/** A value that is malformed because a variable is not set is told as that. */
function explainUnset(source: SourceFile, env: Environment): Explain {
  return path => {
    const text = path.reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | null)?.[key],
      source.value,
    )
    if (typeof text !== 'string') return null
    const name = [...text.matchAll(VARIABLE)].find(
      ([, variable, fallback]) => fallback === undefined && !env[variable ?? ''],
    )?.[1]
    if (name === undefined) return null
    return {
      message: `${path.join('.')} needs the variable ${name}, which is not set`,
      fix: `Set ${name}, or give it a default: \${${name}:-…}.`,
    }
  }
}

/** `${NAME}`, or `${NAME:-default}`. */
const VARIABLE = /\$\{([A-Z_][A-Z0-9_]*)(?::-([^}]*))?\}/g

/**
 * Fills in `${NAME}` and `${NAME:-default}` from the environment, in every string. `${credential}` is
 * left for the adapter: it differs from call to call.
 */
export function interpolate(value: unknown, env: Environment): unknown {
  if (typeof value === 'string') {
    return value.replace(
      VARIABLE,
      (_, name: string, fallback?: string) => env[name] || (fallback ?? ''),
    )
  }
  if (Array.isArray(value)) return value.map(item => interpolate(item, env))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, interpolate(item, env)]),
  )
}
