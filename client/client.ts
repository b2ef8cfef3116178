/**
 * The typed client of a gateway. It runs wherever `fetch` does: Node, browsers and workers.
 */
import { type BatchOutcome, type BatchPlan, type Built, planBatch, readOutcome } from './batch.ts'
import type { GithubCapabilities } from './github.ts'
import { type Failure, lostAnswer, type Result, unsendable } from './result.ts'

export type { BatchOptions, BatchOutcome, BatchPlan, Bindable, Ref, Step } from './batch.ts'
export type { GithubCapabilities } from './github.ts'
export { paginate } from './paginate.ts'
export {
  type EnvelopeError,
  type Failure,
  type Meta,
  type Result,
  SignalboxError,
  type Success,
  unwrap,
} from './result.ts'
export { type RetryOptions, retrying } from './retrying.ts'

export interface ClientOptions {
  /** The address of the gateway, e.g. http://127.0.0.1:8080. */
  readonly url: string
  /** The gateway key. @default none */
  readonly key?: string
  /** Your own credential for the upstream, sent as X-Upstream-Authorization. @default none */
  readonly upstreamAuthorization?: string
  /** @default the global fetch */
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  /** Aborts the call; the promise then rejects with its reason. */
  readonly signal?: AbortSignal
  /** Makes a change at most once, however often the call is repeated. */
  readonly idempotencyKey?: string
  readonly timeoutMs?: number
  readonly route?: 'rest' | 'graphql' | 'cli'
  /** For reads: takes an answer from the gateway's memory that is younger. @default none */
  readonly maxAgeMs?: number
  /** For reads: if every route fails, takes an answer that is older than `maxAgeMs` by less than this. @default none */
  readonly staleIfErrorMs?: number
}

/** A capability, as `npm run docs` and `signalbox types` write it. */
export interface Capability {
  readonly effect: 'read' | 'idempotent' | 'write'
  readonly input: unknown
  readonly output: unknown
}
export type CapabilitiesOf<C> = { readonly [Id in keyof C]: Capability }
export type Id<C> = keyof C & string

/** The options of a batch as a whole. */
export interface WholeBatchOptions extends Pick<CallOptions, 'signal' | 'timeoutMs'> {
  /** Begins no further call once one has failed. @default false */
  readonly stopOnError?: boolean
  /** The most tokens of the whole answer. Longer lists and texts are cut, and say so. @default no limit */
  readonly tokenBudget?: number
}

export interface Client<C extends CapabilitiesOf<C>> {
  /** Makes one call. Resolves to its envelope, also for failures; rejects only when `signal` aborts. */
  call<K extends Id<C>>(
    id: K,
    input: C[K]['input'],
    options?: CallOptions,
  ): Promise<Result<C[K]['output']>>
  /** Makes several calls with one request. Later ones can use results of earlier ones. */
  batch<B extends Built>(
    build: (plan: BatchPlan<C>) => B,
    options?: WholeBatchOptions,
  ): Promise<BatchOutcome<B>>
}

export function createClient<C extends CapabilitiesOf<C> = GithubCapabilities>(
  options: ClientOptions,
): Client<C> {
  return {
    async call(id, input, { idempotencyKey, timeoutMs, route, signal, ...memory } = {}) {
      const query = { timeout_ms: timeoutMs, route, ...memoryQuery(memory) }
      const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
      const path = `/v1/capabilities/${encodeURIComponent(id)}`
      return (await post(options, { id, path, query, headers, body: input, signal })) as never
    },
    async batch(build, { stopOnError, tokenBudget, timeoutMs, signal } = {}) {
      const { built, calls } = planBatch<C, ReturnType<typeof build>>(build)
      const result = await post(options, {
        id: null,
        path: '/v1/batch',
        query: { timeout_ms: timeoutMs },
        headers: {},
        // JSON has no undefined members.
        body: { calls, stop_on_error: stopOnError, token_budget: tokenBudget },
        signal,
      })
      return readOutcome(built, result as never)
    },
  }
}

function memoryQuery({
  maxAgeMs,
  staleIfErrorMs,
}: Pick<CallOptions, 'maxAgeMs' | 'staleIfErrorMs'>): Post['query'] {
  return { max_age_ms: maxAgeMs, stale_if_error_ms: staleIfErrorMs }
}

interface Post {
  readonly id: string | null
  readonly path: string
  readonly query: Readonly<Record<string, string | number | undefined>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}

async function post(options: ClientOptions, request: Post): Promise<Result<unknown>> {
  const { id, path, query, headers, signal } = request
  const url = toAddress(options.url, path)
  if (url === null) {
    return unsendable(id, 'url', 'must be an http or https address without a user name or password')
  }
  for (const [name, value] of Object.entries({ ...query, profile: 'default' })) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const isKeyed = headers['idempotency-key'] !== undefined
  const init = toInit(options, request)
  if ('error' in init) return init
  let response: Response
  let text: string
  try {
    response = await (options.fetch ?? globalThis.fetch)(url, init)
    text = await response.text()
  } catch (error) {
    signal?.throwIfAborted()
    const words = error instanceof Error ? error.message : String(error)
    return lostAnswer(id, `No answer from the gateway: ${words}`, { isKeyed })
  }
  const envelope = parseEnvelope(text)
  if (envelope) return envelope
  const message = `HTTP ${response.status} without an envelope: not an answer of the gateway.`
  return lostAnswer(id, message, { isKeyed, code: 'SERVER' })
}

/** Null for an address that fetch refuses. Its message would show a password in the address. */
function toAddress(base: string, path: string): URL | null {
  const whole = base.replace(/\/+$/, '') + path
  if (!URL.canParse(whole)) return null
  const url = new URL(whole)
  const isPlain = url.username === '' && url.password === ''
  return isPlain && /^https?:$/.test(url.protocol) ? url : null
}

/** The option that gives a header its value. */
const OPTION_OF: Readonly<Record<string, string>> = {
  authorization: 'key',
  'x-upstream-authorization': 'upstreamAuthorization',
  'idempotency-key': 'idempotencyKey',
}

/** Checks before `fetch` does, whose refusal would look like a lost answer. A message names no value, which may be a secret. */
function toInit(
  options: ClientOptions,
  { id, body, headers, signal }: Post,
): RequestInit | Failure {
  const whole = { 'content-type': 'application/json', ...authorization(options), ...headers }
  for (const [name, value] of Object.entries(whole)) {
    if (!isHeader(name, value)) {
      return unsendable(id, OPTION_OF[name] ?? name, 'has characters that a header cannot carry')
    }
  }
  try {
    return { method: 'POST', headers: whole, body: JSON.stringify(body), signal: signal ?? null }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return unsendable(id, 'input', `cannot be written as JSON: ${words}`)
  }
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name)
  } catch {
    return false
  }
}

function authorization({ key, upstreamAuthorization }: ClientOptions): Record<string, string> {
  return {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(upstreamAuthorization === undefined
      ? {}
      : { 'x-upstream-authorization': upstreamAuthorization }),
  }
}

/** Null for anything but an envelope, e.g. the page of a proxy. */
function parseEnvelope(text: string): Result<unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    const isEnvelope = typeof value === 'object' && value !== null && 'ok' in value
    return isEnvelope && 'meta' in value ? (value as Result<unknown>) : null
  } catch {
    return null
  }
}
