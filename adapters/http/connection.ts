import { X509Certificate } from 'node:crypto'
import type { Signal } from '../../src/lib/signal.ts'
import { version } from '../../src/lib/version.ts'
import type {
  Bulkhead,
  CallContext,
  Connection,
  ConnectOptions,
  PlainRequest,
  PlainResult,
  Reachability,
  RouteCall,
  SectionCompiler,
} from '../../src/model/adapter.ts'
import type { Reply } from '../../src/model/reply.ts'
import type { Effect, Route } from '../../src/model/route.ts'
import { breakFailure } from './judge/break-failure.ts'
import type { Circumstances } from './read/answer-facts.ts'
import { exchangeOf } from './read/exchange.ts'
import type { HttpBreak } from './wire/answer.ts'
import { createHttpClient, type HttpClient, type HttpRequest } from './wire/client.ts'
import type { HttpSection } from './wire/section.ts'

const USER_AGENT = `signalbox/${version}`
/** Tokens and probes are few, and small. */
const ASKING_SOCKETS = 4
const MOST_BYTES = 1_048_576

/** The common part of the REST and GraphQL connections: an HTTP client for one origin. */
export abstract class HttpConnection implements Connection {
  protected readonly client: HttpClient
  protected readonly options: ConnectOptions
  /** The path of the section's address, without a slash at its end. */
  protected readonly pathPrefix: string = ''
  #isRetired = false
  #asking: HttpClient | null = null
  readonly #clients = new Map<string, HttpClient>()
  readonly #section: HttpSection
  readonly #ca: string | null

  constructor(origin: string, section: HttpSection, options: ConnectOptions) {
    this.#ca = readAuthority(section, options.compiler)
    this.#section = withUsableProxy(section, options.compiler)
    this.options = options
    this.client = this.clientOf(origin)
  }

  /** The client of an origin. Sections with the same origin share its sockets. */
  protected clientOf(origin: string): HttpClient {
    const known = this.#clients.get(origin)
    if (known) return known
    const client = createHttpClient(origin, this.#section, this.#ca)
    this.#clients.set(origin, client)
    return client
  }

  abstract compile(section: unknown, compiler: SectionCompiler): RouteCall

  get target(): string {
    return this.client.origin
  }

  /**
   * Any answer means that the upstream is reachable. Sends neither the upstream's headers nor its path,
   * because each may hold a credential.
   */
  async reach(signal: Signal): Promise<Reachability> {
    const headers = ['user-agent', USER_AGENT]
    const result = await this.client.send(
      { method: 'HEAD', path: '/', headers, body: null },
      signal,
    )
    if (result.ok || result.status !== null) return { ok: true, status: result.status }
    return this.#unreached(result)
  }

  get trial(): Connection['trial'] {
    return undefined
  }

  /** Has sockets of its own: calls that wait for a token may hold all others. */
  async ask({ headers, ...request }: PlainRequest, signal: Signal): Promise<PlainResult> {
    const section = {
      ...this.#section,
      connections: ASKING_SOCKETS,
      max_response_bytes: MOST_BYTES,
    }
    this.#asking ??= createHttpClient(this.client.origin, section, this.#ca)
    if (this.#isRetired) this.#asking.retire()
    const sent = { 'user-agent': USER_AGENT, ...headers }
    const result = await this.#asking.send(
      { ...request, headers: Object.entries(sent).flat(), path: this.pathPrefix + request.path },
      signal,
    )
    if (!result.ok) return this.#unreached(result)
    const { status, headers: received, text } = result
    return { ok: true, status, headers: received, text }
  }

  /** The sockets to the service itself; other servers that cards name have their own. */
  bulkhead(): Bulkhead {
    return this.client.usage()
  }

  retire(): void {
    this.#isRetired = true
    for (const client of this.#allClients()) client.retire()
  }

  cut(): void {
    for (const client of this.#allClients()) client.cut()
  }

  async close(): Promise<void> {
    await Promise.all(this.#allClients().map(client => client.close()))
  }

  #allClients(): readonly HttpClient[] {
    return [...this.#clients.values(), ...(this.#asking ? [this.#asking] : [])]
  }

  #unreached(broken: HttpBreak): Extract<Reachability, { ok: false }> {
    const { message, details } = breakFailure(broken, this.options.upstream, 0)
    const code = details.network_code
    return { ok: false, message, code: typeof code === 'string' ? code : null }
  }

  protected brokenReply(broken: HttpBreak, effect: Effect): Reply {
    const { upstream, now } = this.options
    return {
      ok: false,
      failure: breakFailure(broken, upstream, now(), effect),
      exchange: exchangeOf(broken, now()),
    }
  }

  protected circumstancesOf(
    route: Route,
    { method, path }: Pick<HttpRequest, 'method' | 'path'>,
    input: unknown,
    { effect, credential }: CallContext,
  ): Circumstances {
    const { upstream, rules, now } = this.options
    return {
      route,
      upstream,
      rules,
      effect,
      input,
      method,
      path,
      origin: this.client.origin,
      secrets: credential?.secrets ?? [],
      now: now(),
    }
  }
}

function readAuthority({ ca }: HttpSection, compiler: SectionCompiler): string | null {
  const text = ca === undefined ? null : compiler.readText(ca, ['ca'])
  if (text === null || isCertificate(text)) return text
  const fix = 'Name the PEM file of the authority; it begins with -----BEGIN CERTIFICATE-----.'
  compiler.problem(['ca'], `names ${ca}, which holds no certificate`, fix)
  return null
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== null
  } catch {
    return false
  }
}

/** The message does not show the value, which may hold a password. */
function withUsableProxy(section: HttpSection, compiler: SectionCompiler): HttpSection {
  const { proxy, ...others } = section
  if (!proxy || (/^https?:/i.test(proxy) && URL.canParse(proxy))) return section
  const fix = 'Write its address, such as http://proxy.example.com:3128, or leave it empty.'
  compiler.problem(['proxy'], 'is no address of an HTTP proxy', fix)
  return others
}
