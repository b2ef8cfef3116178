import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { Signal } from '../../../src/lib/signal.ts'
import type { HttpSection } from '../section.ts'
import type { HttpAnswer, HttpBreak, HttpResult } from './answer.ts'
import { AnswerCollector, abortError, type RawAnswer, type RawResult } from './collector.ts'
import { decodeBody } from './decode.ts'
import { elsewhere, redirectTarget } from './redirect.ts'

export interface HttpRequest {
  readonly method: string
  /** Path and query, percent-encoded. */
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string | null
  /** Whether what another origin holds may be read there, without any header of this request. */
  readonly anywhere?: boolean
}

/** Connections to one origin. Requests go nowhere else unless they say so; credentials never do. */
export interface HttpClient {
  readonly origin: string
  /** Resolves for everything that can happen on a network. */
  send(request: HttpRequest, signal: Signal): Promise<HttpResult>
  close(): Promise<void>
}

const MAX_REDIRECTS = 3
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
  const dispatcher = createDispatcher(origin, settings, ca)
  const limit = settings.max_response_bytes
  let closed: Promise<void> | null = null

  const others = createForeignDispatcher(settings, ca)

  const exchange = (
    { method, path, headers, body }: HttpRequest,
    signal: Signal,
    at = origin,
  ): Promise<RawResult> =>
    new Promise(resolve => {
      if (signal.aborted) return resolve(unsent(abortError(signal)))
      const options = {
        origin: at,
        method,
        path,
        headers: headers as string[],
        body,
        ...NO_TIMEOUTS,
      }
      const through = at === origin ? dispatcher : others
      through.dispatch(options, new AnswerCollector(resolve, signal, limit))
    })

  return {
    origin,
    async send(request, signal) {
      let current = request
      for (let requests = 1; ; requests++) {
        const result = await exchange(current, signal)
        if (!result.ok) return { ...result, requests }
        const other = request.anywhere ? elsewhere(result, current, origin) : null
        if (other) return readElsewhere(exchange, other, request, signal, requests, limit)
        const target = redirectTarget(result, current, origin)
        if (target === null) return readAnswer(result, requests, limit)
        if (requests > MAX_REDIRECTS) return tooManyRedirects(result, requests)
        current = { ...current, path: target }
      }
    },
    // Requests under way are let finish; each has its own deadline.
    close: () => (closed ??= Promise.all([dispatcher.close(), others.close()]).then(() => {})),
  }
}

/** Every attempt has one deadline, and its signal stands for it: no timers beside it. */
const NO_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 } as const

type Settings = typeof DEFAULTS & HttpSection

function createDispatcher(origin: string, settings: Settings, ca: string | null): Dispatcher {
  const tls = ca === null ? {} : { ca }
  const options = {
    connections: settings.connections,
    // Over HTTP/1.1 it is always known whether a request was sent; an HTTP/2 GOAWAY leaves that open.
    allowH2: false,
    connect: { timeout: settings.connect_timeout_ms, ...tls },
  }
  if (!settings.proxy) return new Pool(origin, options)
  return new ProxyAgent({ ...options, uri: settings.proxy, requestTls: tls })
}

/** Where redirects to other origins are followed; nothing is opened before there is one. */
function createForeignDispatcher(settings: Settings, ca: string | null): Dispatcher {
  const tls = ca === null ? {} : { ca }
  const options = { allowH2: false, connect: { timeout: settings.connect_timeout_ms, ...tls } }
  if (!settings.proxy) return new Agent(options)
  return new ProxyAgent({ ...options, uri: settings.proxy, requestTls: tls })
}

type Exchange = (request: HttpRequest, signal: Signal, at: string) => Promise<RawResult>

/** One request, and no further redirects: whatever comes is the answer. */
async function readElsewhere(
  exchange: Exchange,
  { origin, pathname, search }: URL,
  { method, headers }: HttpRequest,
  signal: Signal,
  requests: number,
  limit: number,
): Promise<HttpAnswer | HttpBreak> {
  const agent = headers.findIndex((name, index) => index % 2 === 0 && name === 'user-agent')
  const kept = agent === -1 ? [] : headers.slice(agent, agent + 2)
  const path = pathname + search
  const result = await exchange({ method, path, headers: kept, body: null }, signal, origin)
  if (!result.ok) return { ...result, requests: requests + 1 }
  return readAnswer(result, requests + 1, limit)
}

/** Most answers are not encoded, and need no turn of the event loop. */
function readAnswer(
  answer: RawAnswer,
  requests: number,
  limit: number,
): HttpAnswer | Promise<HttpResult> {
  const { status, headers, body } = answer
  const encoding = headers['content-encoding']
  if (encoding !== undefined) return readEncoded(answer, encoding, requests, limit)
  return { ok: true, status, headers, text: body.toString(), requests }
}

async function readEncoded(
  { status, headers, body }: RawAnswer,
  encoding: string,
  requests: number,
  limit: number,
): Promise<HttpResult> {
  try {
    const decoded = await decodeBody(body, encoding, limit)
    return { ok: true, status, headers, text: decoded.toString(), requests }
  } catch (error) {
    return { ok: false, phase: 'body', error, status, headers, requests }
  }
}

function tooManyRedirects({ status, headers }: RawAnswer, requests: number): HttpBreak {
  const error = Object.assign(new Error('redirect count exceeded'), { code: 'TOO_MANY_REDIRECTS' })
  return { ok: false, phase: 'headers', error, status, headers, requests }
}

function unsent(error: unknown): RawResult {
  return { ok: false, phase: 'connect', error, status: null, headers: {} }
}
