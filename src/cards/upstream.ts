import { dirname } from 'node:path'
import type { ServiceApi } from '../credentials/source.ts'
import { once } from '../lib/late.ts'
import type { Problem } from '../lib/problem.ts'
import type { SourceFile } from '../lib/yaml-source.ts'
import type { Adapter, Connection } from '../model/adapter.ts'
import type { ConnectedUpstream, Upstream } from '../model/card.ts'
import { parseCardPattern } from '../model/card-pattern.ts'
import type { Schemes } from '../model/credential.ts'
import type { Environment } from '../model/environment.ts'
import { ROUTES, type Route } from '../model/route.ts'
import { compileRules, type FailurePack, replyCompiler } from './compile-rules.ts'
import type { ConfiguredCredentials } from './configured-credentials.ts'
import { type CredentialsOptions, connectCredentials } from './credentials.ts'
import { digestOf } from './digest.ts'
import { explainVariables, interpolate, reportUnfilled } from './interpolate.ts'
import { type Explain, reportProblem, reportSchemaErrors } from './report.ts'
import { UpstreamSource } from './schema.ts'
import { createSectionCompiler } from './section.ts'
import { SharedSchemas } from './shared-schemas.ts'
import { compileUpstreamTexts } from './text-rules.ts'
import { compileSource } from './validate.ts'

export type Adapters = Readonly<Record<Route, Adapter>>

/** Texts from `upstream.yaml` that are the same for all calls. */
export type Constants = Readonly<Record<string, string>>

export interface UpstreamOptions {
  readonly adapters: Adapters
  readonly env: Environment
  readonly now: () => number
  readonly failurePack: FailurePack
  readonly problems: Problem[]
  /** Credentials of the settings. @default none */
  readonly configured?: ConfiguredCredentials
  /** How many workers use the upstream. @default 1 */
  readonly workers?: number
}

/** A connected upstream with what only its cards need while they are compiled. */
export interface LoadedUpstream extends ConnectedUpstream {
  readonly schemas: SharedSchemas
  readonly constants: Constants
}

const checkUpstream = compileSource(UpstreamSource)

/** Reads an `upstream.yaml` and opens a connection for each of its routes. Null when it has problems. */
export function connectUpstream(
  source: SourceFile,
  options: UpstreamOptions,
): LoadedUpstream | null {
  const { problems, env } = options
  const before = problems.length
  const value = interpolate(source.value, env)
  const explain = explainVariables(source, env)
  // The environment fills in only what the routes' schemas check, or constants, which take any text.
  if (!source.proven) reportSchemaErrors(source, [], checkUpstream(value), problems, explain)
  if (problems.length > before) return null
  const file = value as UpstreamSource
  const schemas = new SharedSchemas(source, file.$defs ?? {}, problems)
  const names = {
    place: membersNamed(file.workspace),
    workspaceOf: compileName(file.workspace, 'workspace', source, problems),
    accountOf: compileName(file.account, 'account', source, problems),
  }
  const texts = compileUpstreamTexts(file, source, problems)
  checkAddress(file, source, problems)
  // Nobody asks before the connections are there.
  const open: Opened = {}
  const credentialed = connectCredentials(file, source, sourcesOf(file, options, open), problems)
  const { schemes = {} } = credentialed ?? {}
  const connections = connectRoutes(file, source, options, { explain, schemes })
  open.connections = connections
  if (problems.length > before || credentialed === null) {
    credentialed?.credentials.close()
    void closeConnections(connections)
    return null
  }
  const keeps = compileKeeps(file, source)
  const upstream = { ...describeUpstream(file), ...credentialed, ...names, keeps, texts }
  // The file as it is written: a digest of the environment's values could reveal a secret.
  const digest = once(() => digestOf(source.value))
  return { upstream, connections, digest, schemas, constants: file.constants ?? {} }
}

/** Closes the connections of an upstream, and the sources of its credentials. */
export async function disconnectUpstream({
  upstream,
  connections,
}: ConnectedUpstream): Promise<void> {
  upstream.credentials.close()
  await closeConnections(connections)
}

async function closeConnections(connections: ReadonlyMap<Route, Connection>): Promise<void> {
  await Promise.all([...connections.values()].map(connection => connection.close()))
}

interface Opened {
  connections?: ReadonlyMap<Route, Connection>
}

function sourcesOf(
  file: UpstreamSource,
  { env, now, configured = {}, workers = 1 }: UpstreamOptions,
  open: Opened,
): CredentialsOptions {
  return { env, now, configured, workers, api: apiOf(file, open) }
}

/** The API of a service as the sources of its own credentials ask it. */
function apiOf({ rest }: UpstreamSource, open: Readonly<Opened>): ServiceApi | null {
  if (rest === undefined) return null
  const { base_url: address = '' } = rest as { readonly base_url?: string }
  return {
    origin: URL.canParse(address) ? new URL(address).origin : address,
    async ask(request, signal) {
      const result = await open.connections?.get('rest')?.ask?.(request, signal)
      return result ?? { ok: false, message: 'it has no connection', code: null }
    },
  }
}

function connectRoutes(
  file: UpstreamSource,
  source: SourceFile,
  { adapters, env, now, failurePack, problems }: UpstreamOptions,
  { explain, schemes }: { readonly explain: Explain; readonly schemes: Schemes },
): Map<Route, Connection> {
  const rules = compileRules(file, source, failurePack, problems)
  const connections = new Map<Route, Connection>()
  for (const route of ROUTES) {
    const section = file[route]
    if (!section) continue
    reportUnfilled((source.value as UpstreamSource)[route], [route], (path, message, fix) =>
      reportProblem(source, path, message, fix, problems),
    )
    const errors = compileSource(adapters[route].upstreamSchema)(section)
    reportSchemaErrors(source, [route], errors, problems, explain)
    if (errors.length > 0) continue
    const compiler = replyCompiler(source, [route], problems)
    const connection = adapters[route].connect(section, {
      upstream: file.id,
      schemes,
      rules,
      compiler,
      now,
      searchPath: env.PATH ?? '',
    })
    connections.set(route, connection)
  }
  return connections
}

/** Requests take only the origin and the path of an address. The message names no part that may be a secret. */
function checkAddress({ rest }: UpstreamSource, source: SourceFile, problems: Problem[]): void {
  const { base_url: address = '' } = (rest ?? {}) as { readonly base_url?: string }
  if (!URL.canParse(address)) return
  const { search, hash, username } = new URL(address)
  const parts = { 'a query': search, 'a fragment': hash, 'a user name': username }
  for (const [name, part] of Object.entries(parts)) {
    if (part === '') continue
    const fix =
      'End it with the path. A parameter of a request belongs in query of the cards, a credential in schemes.'
    reportProblem(
      source,
      ['rest', 'base_url'],
      `has ${name}, which no request sends`,
      fix,
      problems,
    )
  }
}

function describeUpstream(
  file: UpstreamSource,
): Pick<Upstream, 'id' | 'description' | 'baseUrl' | 'pools' | 'linksNext' | 'examples'> {
  return {
    id: file.id,
    description: file.description ?? null,
    baseUrl: baseUrlOf(file),
    pools: Object.keys(file.pools ?? {}),
    linksNext: file.links_next ?? false,
    examples: file.examples ?? {},
  }
}

function compileKeeps({ keeps = [] }: UpstreamSource, { file }: SourceFile): Upstream['keeps'] {
  return keeps.map(({ changes, reads }) => ({
    folder: dirname(file),
    changes: changes.map(parseCardPattern),
    reads: reads.map(parseCardPattern),
  }))
}

/** Without credentials; null for an upstream that only has a CLI. */
function baseUrlOf({ rest, graphql }: UpstreamSource): string | null {
  const address = (rest as { base_url?: string })?.base_url ?? (graphql as { url?: string })?.url
  if (address === undefined) return null
  if (!URL.canParse(address)) return address
  const { origin, pathname } = new URL(address)
  return pathname === '/' ? origin : `${origin}${pathname}`
}

function membersNamed(expression = ''): readonly string[] {
  return [...expression.matchAll(/\binput\.(\w+)/g)].flatMap(([, name]) => name ?? [])
}

/** An expression over the input of a call that names something, or null. */
function compileName(
  declared: string | undefined,
  key: 'workspace' | 'account',
  source: SourceFile,
  problems: Problem[],
): Upstream['workspaceOf'] {
  if (declared === undefined) return () => null
  const names = { roots: ['input'], inputs: null }
  const section = createSectionCompiler({ source, base: [], effect: null, names, problems })
  const expression = section.expression(declared, [key])
  return input => {
    try {
      const name = expression({ input })
      return typeof name === 'string' ? name : null
    } catch {
      // The input of some capabilities names none.
      return null
    }
  }
}
