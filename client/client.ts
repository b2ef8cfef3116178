/**
 * The typed client of a gateway. It runs wherever `fetch` does: Node, browsers and workers.
 */
import { type BatchOutcome, type BatchPlan, type Built, planBatch, readOutcome } from './batch.ts'
import type { GithubCapabilities } from './github.ts'
import {
  type AnyCallOptions,
  type CallOptions,
  type DialectOptions,
  headersOf,
  OPTION_OF,
  type PartlyOptions,
  type Query,
  queryOf,
  type SomeOf,
  type WholeBatchOptions,
} from './options.ts'
import { type Failure, lostAnswer, type Result, unsendable } from './result.ts'

export type { BatchOutcome, BatchPlan, Bindable, Ref, Step } from './batch.ts'
export type { GithubCapabilities } from './github.ts'
export type {
  BatchOptions,
  CallOptions,
  DialectOptions,
  PartlyBatchOptions,
  PartlyOptions,
  SomeOf,
  WholeBatchOptions,
} from './options.ts'
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

/** A capability, as `npm run docs` and `signalbox types` write it. */
export interface Capability {
  readonly effect: 'read' | 'idempotent' | 'write'
  readonly input: unknown
  readonly output: unknown
}
export type CapabilitiesOf<C> = { readonly [Id in keyof C]: Capability }
export type Id<C> = keyof C & string

export interface Client<C extends CapabilitiesOf<C>> {
  /** Makes one call. Resolves to its envelope, also for failures; rejects only when `signal` aborts. */
  call<K extends Id<C>>(
    id: K,
    input: C[K]['input'],
    options?: CallOptions,
  ): Promise<Result<C[K]['output']>>
  /** With `fields`, `data` has only the members that they name. */
  call<K extends Id<C>>(
    id: K,
    input: C[K]['input'],
    options: PartlyOptions,
  ): Promise<Result<SomeOf<C[K]['output']>>>
  /** With a `profile`, resolves to the answer in that dialect; to an envelope of this client if no answer came. */
  call<K extends Id<C>>(id: K, input: C[K]['input'], options: DialectOptions): Promise<unknown>
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
    async call(id: string, input: unknown, call: AnyCallOptions = {}) {
      const query = { ...queryOf(call), profile: call.profile ?? 'default' }
      const path = `/v1/capabilities/${encodeURIComponent(id)}`
      const { signal } = call
      const post = { id, path, query, headers: headersOf(call), body: input, signal }
      return (await send(options, post)) as never
    },
    async batch(build, whole = {}) {
      const { stopOnError, tokenBudget, timeoutMs, signal } = whole
      const { built, calls } = planBatch<C, ReturnType<typeof build>>(build)
      const result = await send(options, {
        id: null,
        path: '/v1/batch',
        query: { timeout_ms: timeoutMs, profile: 'default' },
        headers: headersOf(whole),
        // JSON has no undefined members.
        body: { calls, stop_on_error: stopOnError, token_budget: tokenBudget },
        signal,
      })
      return readOutcome(built, result as never)
    },
  }
}

interface Post {
  readonly id: string | null
  readonly path: string
  readonly query: Query
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}

async function send(options: ClientOptions, request: Post): Promise<Result<unknown>> {
  const { id, query, headers, signal } = request
  const url = toAddress(options.url, request)
  if (url === null) {
    return unsendable(id, 'url', 'must be an http or https address without a user name or password')
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
  const answer = readAnswer(text, response.headers.get('content-type') ?? '', query.profile)
  if (answer) return answer
  const message = `HTTP ${response.status} without an envelope: not an answer of the gateway.`
  return lostAnswer(id, message, { isKeyed, code: 'SERVER' })
}

/** Null for an address that fetch refuses. Its message would show a password in the address. */
function toAddress(base: string, { path, query }: Post): URL | null {
  const whole = base.replace(/\/+$/, '') + path
  if (!URL.canParse(whole)) return null
  const url = new URL(whole)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const isPlain = url.username === '' && url.password === ''
  return isPlain && /^https?:$/.test(url.protocol) ? url : null
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

/**
 * Null for anything but an answer of the gateway, e.g. the page of a proxy. An answer in another dialect than `default` names it in
 * its type.
 */
function readAnswer(text: string, type: string, profile: unknown): Result<unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    if (profile !== 'default' && namesDialect(type, String(profile))) {
      return value as Result<unknown>
    }
    const isEnvelope = typeof value === 'object' && value !== null && 'ok' in value
    return isEnvelope && 'meta' in value ? (value as Result<unknown>) : null
  } catch {
    return null
  }
}

function namesDialect(type: string, profile: string): boolean {
  const isProblem = profile === 'problem' && type.startsWith('application/problem+json')
  return isProblem || type.includes(`profile="${profile}"`)
}
