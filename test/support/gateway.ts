import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { isLostVisit } from '../../routes/support/lost-page.ts'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { openIssuers } from '../../src/access/issuers.ts'
import { createKeyRing, type KeyRing } from '../../src/access/key-ring.ts'
import { openKeys } from '../../src/access/open-keys.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { buildApp } from '../../src/gateway/app.ts'
import { loadSettings, type Settings, type SettingsFile } from '../../src/gateway/config.ts'
import { createEngine, type RunningEngine } from '../../src/gateway/create-engine.ts'
import { outagesOf } from '../../src/gateway/outages.ts'
import type { Envelope } from '../../src/model/envelope.ts'
import { NO_SUBJECT } from '../../src/model/subject.ts'
import { startTracing } from '../../src/observe/tracing/start.ts'
import { DOCUMENT_KEY, fetchDocument } from './api-document.ts'
import { expectEveryDialect } from './dialects.ts'
import { githubEnv } from './github.ts'
import { type RecordedAnswer, recordAnswers } from './recorded-answers.ts'

/** A gateway on a free port, with its own sandbox as GitHub. Disposing ends both. */
export interface TestGateway extends AsyncDisposable {
  readonly url: string
  readonly sandbox: Sandbox
  readonly engine: RunningEngine
  /** Takes over other keys and identity providers, as a reload does. */
  setKeys(keys: Settings['keys'], oidc?: Settings['oidc']): void
  /** Method and path of each route that the server has, but for HEAD. */
  readonly routes: readonly string[]
  /** Runs a capability. */
  call(id: string, input: unknown, options?: CallOptions): Promise<CallResult>
  get(path: string, headers?: Record<string, string>): Promise<CallResult>
}

export interface CallOptions {
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

export interface CallResult {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every capability
  readonly body: Envelope & { data: any; error: any }
}

export interface TestGatewayOptions {
  readonly settings?: SettingsFile
  readonly env?: Record<string, string | undefined>
  /** Called with each line of the gateway's log. */
  readonly onLog?: (line: Readonly<Record<string, unknown>>) => void
}

/** The keys of the settings, as a start opens them. */
export function ringOf({ keys, oidc }: Pick<Settings, 'keys' | 'oidc'>): KeyRing {
  return createKeyRing(openKeys(keys), { issuers: openIssuers(oidc) })
}

export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const directory = await mkdtemp(join(tmpdir(), 'sb-'))
  const socketPath = join(directory, 'gh.sock')
  const sandbox = await createSandbox({ port: 0, socketPath })
  await writeFile(join(directory, 'config.yml'), `http_unix_socket: ${socketPath}\n`)
  const env = {
    PATH: process.env.PATH,
    ...githubEnv(sandbox.url),
    GH_CONFIG_DIR: directory,
    SIGNALBOX_JOURNAL: join(directory, 'journal.sqlite'),
    ...options.env,
  }
  // Tests share the event loop with the gateway, and some keep it busy for seconds.
  const file = { max_event_loop_lag_ms: 60_000, ...options.settings }
  const settings = { ...loadSettings(env, null, file), port: 0 }
  const { onLog } = options
  const logger = onLog
    ? pino({ level: 'info' }, { write: line => onLog(JSON.parse(line)) })
    : pino({ level: process.env.TEST_LOG ?? 'silent' })
  const tracing = await startTracing(env, logger, outagesOf(logger, null)('traces'))
  const { keys, oidc } = settings
  const isLocked = keys.length + oidc.length > 0
  const ring = ringOf({ keys: isLocked ? [...keys, DOCUMENT_KEY] : keys, oidc })
  const engine = await createEngine({
    settings,
    env,
    logger,
    tracing,
    secrets: () => ring.secrets(),
  })
  const app = await buildApp({ engine, settings, ring, logger })
  const checkDialects = dialectCheck(engine)
  const answers = recordAnswers(app.server)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    sandbox,
    engine,
    setKeys: (next, issuers = []) =>
      ring.replace(openKeys([...next, DOCUMENT_KEY]), openIssuers(issuers, ring.issuers)),
    routes: routesOf(app.printRoutes({ commonPrefix: false })),
    call: async (id, input, { query = {}, headers = {}, signal } = {}) => {
      const result = await request(
        `${url}/v1/capabilities/${id}?${new URLSearchParams(query).toString()}`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(input),
          signal: signal ?? null,
        },
      )
      checkDialects(id, input, result)
      return result
    },
    get: (path, headers = {}) => request(`${url}${path}`, { headers }),
    async [Symbol.asyncDispose]() {
      const undescribed = await findUndescribed({ url, engine, settings }, answers).catch(
        error => error,
      )
      await app.close()
      await engine[Symbol.asyncDispose]()
      await tracing?.[Symbol.asyncDispose]()
      await sandbox.close()
      await rm(directory, { recursive: true, force: true })
      if (undescribed !== null) throw undescribed
    },
  }
}

/** Reads Fastify's tree of routes: each line is the rest of a path below the line that it is indented under. */
function routesOf(tree: string): readonly string[] {
  const parents: string[] = []
  return tree.split('\n').flatMap(line => {
    const [, indent, part = '', methods = ''] = /^(.*?)[├└]── (\S+) \((.*)\)$/.exec(line) ?? []
    if (indent === undefined) return []
    const depth = indent.length / 4
    const path = `${parents[depth - 1] ?? ''}${part}`
    parents[depth] = path
    const answered = methods.split(', ').filter(method => method !== 'HEAD')
    return answered.map(method => `${method} ${path}`)
  })
}

/** Finds answers that `/openapi.json` does not describe; null when it describes all of them. */
async function findUndescribed(
  { url, engine, settings }: Pick<TestGateway, 'url' | 'engine'> & { readonly settings: Settings },
  answers: readonly RecordedAnswer[],
): Promise<Error | null> {
  if (answers.length === 0) return null
  const api = await fetchDocument(
    url,
    engine.catalog.all(),
    settings.keys.length + settings.oidc.length > 0,
  )
  const faults: string[] = []
  for (const answer of answers) {
    const { method, url: path, status, body } = answer
    // Static files are no operations, and answers to HEAD and to a preflight have no body.
    if (method === 'HEAD' || method === 'OPTIONS' || ASSETS.test(path)) continue
    // People who mistype an address of the inspector get a page, or the address of one.
    if ((status === 404 || status === 302) && path.startsWith('/inspector/')) continue
    // So do those in a browser who mistype any other.
    const isPage = answer.contentType?.startsWith('text/html') && status >= 400
    if (isPage && isLostVisit({ headers: answer.requestHeaders, url: path })) continue
    const found = await api.fault(answer, settings.keys)
    if (found !== null)
      faults.push(`${method} ${path} ${status}: ${found} in ${body.slice(0, 2000)}`)
  }
  return faults.length === 0 ? null : new Error(`/openapi.json is wrong:\n${faults.join('\n')}`)
}

const ASSETS = /^\/(inspector\/assets|docs\/)/

/** ghx has no request id, and brief no attempts. */
function isDefault({ meta }: CallResult['body']): boolean {
  return meta?.request_id !== undefined && meta.attempts !== undefined
}

/** Checks that one answer of each kind is valid in every dialect, whatever a test calls it for. */
function dialectCheck(engine: Engine) {
  const tried = new Set<string>()
  return (id: string, input: unknown, { body, status }: CallResult): void => {
    const card = engine.catalog.get(id)
    // Only answers in the default dialect can be rendered in the others.
    if (!card || !('error' in body) || !isDefault(body)) return
    const { next: _, ...meta } = body.meta
    const kind = [id, meta.route_used, meta.reason, meta.attempts.length, body.error?.code].join(
      ' ',
    )
    if (tried.has(kind)) return
    tried.add(kind)
    const given = input as Readonly<Record<string, unknown>>
    const subject = { ...NO_SUBJECT, card, input: given, time: Date.now() }
    expectEveryDialect(engine, { envelope: { ...body, meta }, status, subject })
  }
}

async function request(url: string, init: RequestInit): Promise<CallResult> {
  const response = await fetch(url, init)
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as CallResult['body'],
  }
}
