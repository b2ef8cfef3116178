import type { Dispatcher } from 'undici'
import type { Hold } from '../../../src/lib/byte-budget.ts'
import { Eventual } from '../../../src/lib/eventual.ts'
import type { Signal } from '../../../src/lib/signal.ts'
import { type Release, Slots } from '../../../src/lib/slots.ts'
import type { Bulkhead } from '../../../src/model/adapter.ts'
import type { HttpBreak, HttpResult } from './answer.ts'
import {
  AnswerCollector,
  abortError,
  type Collecting,
  type RawAnswer,
  type RawResult,
} from './collector.ts'
import { createDispatchers } from './dispatchers.ts'
import { readAnswer } from './read-answer.ts'
import { foreignTarget, isRedirect, redirectTarget } from './redirect.ts'
import type { HttpSection } from './section.ts'

export interface HttpRequest {
  readonly method: string
  /** Path and query, percent-encoded. */
  readonly path: string
  /** Parameters that hold secrets, percent-encoded. They are added last, so that no text about the request has them. */
  readonly secretQuery?: string
  /** Names and values, alternating. */
  readonly headers: readonly string[]
  readonly body: string | Buffer | null
  /** Whether to follow a redirect to another origin. None of this request's headers go there. */
  readonly anywhere?: boolean
  /** Sends the request to this URL of another origin instead, without the headers. */
  readonly foreign?: URL
  /** A change that must not be sent twice: it takes no socket that the service may be about to close. */
  readonly once?: boolean
  /** Counts the bytes of the answer. @default nothing does */
  readonly held?: Hold | undefined
  /** Whether to keep the body of a success as bytes, and not decode it as text. */
  readonly binary?: boolean
  /** Texts to hide if the service echoes them. @default none */
  readonly secrets?: readonly string[] | undefined
  /** For a body that may not end by itself. */
  readonly collecting?: Collecting
}

/** Connections to one origin. A request leaves it only if it allows that; credentials never leave it. */
export interface HttpClient {
  readonly origin: string
  /** Resolves to an `HttpBreak` for any network failure; never rejects because of one. */
  send(request: HttpRequest, signal: Signal): Eventual<HttpResult>
  /** How many requests run and wait for a socket. */
  usage(): Bulkhead
  /** Keeps no idle socket from now on. Requests can still be sent. */
  retire(): void
  /** Breaks off the running requests, and sends no more. */
  cut(): void
  close(): Promise<void>
}

const MAX_REDIRECTS = 3
/** Calls that wait for a socket, for each socket. With more, the gateway is overloaded. */
const WAITING_PER_SOCKET = 4
const DEFAULTS = {
  connections: 64,
  max_response_bytes: 20 * 1024 * 1024,
  connect_timeout_ms: 5000,
}

export function createHttpClient(
  origin: string,
  section: HttpSection,
  ca: string | null,
): HttpClient {
  const settings = { ...DEFAULTS, ...section }
  const dispatchers = createDispatchers(origin, settings, ca)
  const limit = settings.max_response_bytes
  const exchange: Exchange = (request, signal, target) =>
    target === origin
      ? dispatch(dispatchers.own(request.once), origin, withSecrets(request), signal, limit)
      : dispatch(dispatchers.foreign(), target, request, signal, limit)
  const wire = { exchange, origin, limit, slots: slotsOf(settings) }
  let closed: Promise<void> | null = null

  return {
    origin,
    send: (request, signal) => send(wire, request, signal),
    usage: () => wire.slots.usage(),
    retire: () => dispatchers.retire(),
    cut() {
      closed = dispatchers.destroy()
    },
    // Running requests may finish: each has its own deadline.
    close: () => (closed ??= dispatchers.close()),
  }
}

/** The means of sending to one origin. */
interface Wire {
  readonly exchange: Exchange
  readonly origin: string
  readonly limit: number
  /** As many as there are sockets: undici would let any number of requests wait, and not say which of them did. */
  readonly slots: Slots
}

function send(wire: Wire, request: HttpRequest, signal: Signal): Eventual<HttpResult> {
  const { slots } = wire
  // Usually a socket is free: don't spend a turn of the event loop on it.
  const slot = slots.take()
  if (slot !== null) return sendIn(slot, wire, request, signal)
  return waitForSlot(slots, signal).then(found =>
    typeof found === 'function' ? sendIn(found, wire, request, signal) : found,
  )
}

function sendIn(
  slot: Release,
  wire: Wire,
  request: HttpRequest,
  signal: Signal,
): Eventual<HttpResult> {
  const ended = (result: HttpResult) => {
    slot()
    return result
  }
  const failed = (error: unknown) => {
    slot()
    throw error
  }
  try {
    const result = request.foreign
      ? Eventual.of(readForeign(wire, request.foreign, request, signal, 0))
      : wire
          .exchange(request, signal, wire.origin)
          .then(raw => receive(wire, raw, request, signal, 1))
    return result.then(ended, failed)
  } catch (error) {
    return failed(error)
  }
}

/** Reads an answer, or follows it. Synchronous for most answers. */
function receive(
  wire: Wire,
  result: RawResult,
  sent: HttpRequest,
  signal: Signal,
  requests: number,
): HttpResult | PromiseLike<HttpResult> {
  if (!result.ok) return { ...result, requests }
  const { exchange, origin, limit } = wire
  const { held, binary, secrets, anywhere } = sent
  const reading = { requests, limit, held, binary, secrets }
  if (!isRedirect(result.status)) return readAnswer(result, reading)
  const other = anywhere ? foreignTarget(result, sent, origin) : null
  if (other) return readForeign(wire, other, sent, signal, requests)
  const path = redirectTarget(result, sent, origin)
  if (path === null) return readAnswer(result, reading)
  if (requests > MAX_REDIRECTS) return tooManyRedirects(result, requests)
  const next = { ...sent, path }
  return exchange(next, signal, origin).then(more =>
    receive(wire, more, next, signal, requests + 1),
  )
}

function slotsOf({ connections, max_queue = connections * WAITING_PER_SOCKET }: Settings): Slots {
  return new Slots(connections, max_queue)
}

/** The slot of a request, or why it is not sent. */
function waitForSlot(slots: Slots, signal: Signal): Eventual<Release | HttpBreak> {
  return slots.acquire(signal).then(
    slot => slot ?? { ...unsent(abortError(signal)), requests: 0 },
    (error: unknown) => ({ ...unsent(error), requests: 0 }),
  )
}

/** An address that the service itself gave, such as that of a redirect, may have the parameters already. */
function withSecrets(request: HttpRequest): HttpRequest {
  const { path, secretQuery = '' } = request
  if (secretQuery === '') return request
  const own = secretQuery.split('&').map(nameIn)
  const [before = '', ...query] = path.split('?')
  const others = query
    .join('?')
    .split('&')
    .filter(part => part !== '' && !own.includes(nameIn(part)))
  return { ...request, path: `${before}?${[...others, secretQuery].join('&')}` }
}

function nameIn(parameter: string): string {
  return parameter.split('=', 1)[0] ?? ''
}

type Exchange = (request: HttpRequest, signal: Signal, target: string) => Eventual<RawResult>

function dispatch(
  dispatcher: Dispatcher,
  origin: string,
  { method, path, headers, body, held, collecting }: HttpRequest,
  signal: Signal,
  limit: number,
): Eventual<RawResult> {
  const result = new Eventual<RawResult>()
  if (signal.aborted) {
    result.settle(unsent(abortError(signal)))
    return result
  }
  const options = {
    origin,
    method,
    path,
    headers: headers as string[],
    body,
    // The attempt's signal is its deadline; undici's own timers would be a second one.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  dispatcher.dispatch(options, new AnswerCollector(result, signal, { limit, held, collecting }))
  return result
}

type Settings = typeof DEFAULTS & HttpSection

/** Sends one request to another origin and follows no further redirect from there. */
async function readForeign(
  { exchange, limit }: Wire,
  { origin, pathname, search }: URL,
  request: HttpRequest,
  signal: Signal,
  requests: number,
): Promise<HttpResult> {
  const { headers } = request
  const userAgent = headers.findIndex((name, index) => index % 2 === 0 && name === 'user-agent')
  const kept = userAgent === -1 ? [] : headers.slice(userAgent, userAgent + 2)
  const asked = { ...request, path: pathname + search, headers: kept, body: null }
  const result = await exchange(asked, signal, origin)
  if (!result.ok) return { ...result, requests: requests + 1 }
  const { held, binary, secrets } = request
  return readAnswer(result, { requests: requests + 1, limit, held, binary, secrets })
}

function tooManyRedirects({ status, headers }: RawAnswer, requests: number): HttpBreak {
  const error = Object.assign(new Error('redirect count exceeded'), { code: 'TOO_MANY_REDIRECTS' })
  return { ok: false, phase: 'headers', error, status, headers, requests }
}

function unsent(error: unknown): Extract<RawResult, { ok: false }> {
  return { ok: false, phase: 'connect', error, status: null, headers: {} }
}
