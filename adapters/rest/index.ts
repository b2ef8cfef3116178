import { UnreadableTextError } from '../../src/lib/charset.ts'
import { useOneOf } from '../../src/lib/text.ts'
import type {
  Adapter,
  CallContext,
  Connection,
  ConnectOptions,
  RouteCall,
  SectionCompiler,
} from '../../src/model/adapter.ts'
import type { ExpressionScope } from '../../src/model/expression.ts'
import { NO_EXCHANGE, type Reply } from '../../src/model/reply.ts'
import { HttpConnection } from '../http/connection.ts'
import { expressionFailure } from '../http/judge/expression-failure.ts'
import { type HttpBreak, type HttpResult, isSuccessStatus } from '../http/wire/answer.ts'
import type { HttpClient, HttpRequest } from '../http/wire/client.ts'
import { essenceOf } from '../http/wire/media-type.ts'
import { compileHeaders } from '../http/wire/request-headers.ts'
import { readGrant, withGrant } from './grant.ts'
import { replyOfJob } from './job-reply.ts'
import { compilePoll, type Poll } from './poll.ts'
import { readRestReply } from './reply.ts'
import { compileRequest, type RequestBase, type RequestBuilder } from './request.ts'
import { RestCardSection, RestUpstreamSection } from './schema.ts'

/** Calls JSON APIs over HTTP, with one request per call. */
export function createRestAdapter(): Adapter {
  return {
    route: 'rest',
    cardSchema: RestCardSection,
    upstreamSchema: RestUpstreamSection,
    connect: (section, options) => new RestConnection(section as RestUpstreamSection, options),
  }
}

/** A body that is no text is most likely a file, which a card can read. */
function adviseBytes(reply: Reply, { error, headers }: HttpBreak): Reply {
  if (reply.ok || !(error instanceof UnreadableTextError)) return reply
  const type = essenceOf(headers['content-type']) || 'bytes'
  const message = `${reply.failure.message} If it is a file (${type}), a card reads that with parse: binary.`
  return { ...reply, failure: { ...reply.failure, message } }
}

interface CompiledCall {
  readonly card: RestCardSection
  readonly client: HttpClient
  /** How to wait for a job that the service only accepts. */
  readonly poll: Poll | null
  readonly build: RequestBuilder
  /** Members of the answer that the card asks for. */
  readonly asked: ReadonlySet<string>
}

/** A request that was sent, and the call for which. */
interface Sent {
  readonly request: HttpRequest
  readonly scope: ExpressionScope
  readonly context: CallContext
  /** Monotonic milliseconds. */
  readonly endsAt: number
}

const NOTHING: ReadonlySet<string> = new Set()

/** The gateway does nothing else while it parses, and CSV and XML take many times as long as JSON. */
const MAX_PARSED_BYTES = 4 * 1024 * 1024

class RestConnection extends HttpConnection {
  protected override readonly pathPrefix: string
  readonly #section: RestUpstreamSection
  readonly #base: Omit<RequestBase, 'path'>

  constructor(section: RestUpstreamSection, options: ConnectOptions) {
    super(new URL(section.base_url).origin, section, options)
    this.#section = section
    this.pathPrefix = new URL(section.base_url).pathname.replace(/\/$/, '')
    const { headers: declared = {} } = section
    this.#base = {
      headers: compileHeaders(declared, {}, options),
      declared,
      schemes: options.schemes,
      declaresAccept: Object.keys(declared).some(name => name.toLowerCase() === 'accept'),
    }
    for (const [name, url] of Object.entries(section.servers ?? {})) {
      if (URL.canParse(url)) continue
      options.compiler.problem(['servers', name], 'is not a URL', 'Write one like base_url.')
    }
  }

  override compile(section: unknown, compiler: SectionCompiler): RouteCall {
    const card = section as RestCardSection
    const server = this.#serverOf(card, compiler)
    const path = server.pathname.replace(/\/$/, '')
    const build = compileRequest(card, { ...this.#base, path }, compiler)
    const { asked = NOTHING } = compiler
    const poll = compilePoll(card, compiler)
    const client = this.clientOf(server.origin)
    const compiled = { card, client, build, poll, asked }
    const next = card.poll?.continue?.capability
    return {
      ...(next === undefined ? {} : { names: [next] }),
      unavailable: () => null,
      call: (scope, context) => this.#call(compiled, scope, context),
    }
  }

  override get trial(): Connection['trial'] {
    const { probe } = this.#section
    if (probe === undefined) return undefined
    return async (credential, signal) => {
      const context = { credential } as CallContext
      const list = this.#base.headers(context)
      const headers = Object.fromEntries(
        list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? '']] : [])),
      )
      const request = { method: 'GET', path: probe.path, headers, body: null }
      const result = await this.ask(request, signal)
      if (!result.ok) return result
      return { ok: true, status: result.status, grant: readGrant(result.headers, probe) }
    }
  }

  #serverOf({ server }: RestCardSection, compiler: SectionCompiler): URL {
    const { base_url, servers = {} } = this.#section
    const url = server === undefined ? base_url : servers[server]
    if (url !== undefined && URL.canParse(url)) return new URL(url)
    const fix = useOneOf(Object.keys(servers), 'add it to rest.servers in upstream.yaml')
    compiler.problem(['server'], `names "${server}", which is no server`, fix)
    return new URL(base_url)
  }

  #call(compiled: CompiledCall, scope: ExpressionScope, context: CallContext): PromiseLike<Reply> {
    const endsAt = performance.now() + context.timeoutMs
    const unbuilt = (error: unknown): Reply => {
      const failure = expressionFailure(error, scope.input)
      return { ok: false, failure, exchange: NO_EXCHANGE }
    }
    const send = (request: HttpRequest) => {
      const sent = { request, scope, context, endsAt }
      const { method, path } = request
      context.onSent?.({ method, origin: compiled.client.origin, path })
      const result = compiled.client.send(request, context.signal)
      return result.then(received => this.#read(compiled, sent, received))
    }
    let built: HttpRequest | Promise<HttpRequest>
    try {
      built = compiled.build(scope, context)
    } catch (error) {
      return Promise.resolve(unbuilt(error))
    }
    return built instanceof Promise ? built.then(send, unbuilt) : send(built)
  }

  #read(compiled: CompiledCall, sent: Sent, result: HttpResult): Reply | PromiseLike<Reply> {
    const { card, client, poll, asked } = compiled
    const { request, scope, context, endsAt } = sent
    const brokenReply = (broken: HttpBreak) =>
      adviseBytes(this.brokenReply(broken, context.effect), broken)
    if (!result.ok) return brokenReply(result)
    const circumstances = {
      ...this.circumstancesOf('rest', request, scope.input, context),
      origin: client.origin,
      card,
      asked,
      maxParsedBytes: this.#section.max_parsed_bytes ?? MAX_PARSED_BYTES,
      conditional: context.etag !== undefined,
    }
    if (!poll || !isSuccessStatus(result.status)) {
      return withGrant(readRestReply(result, circumstances), result.headers, this.#section)
    }
    const { signal } = context
    const job = { client, poll, request, scope, signal, endsAt, now: this.options.now }
    return replyOfJob(result, job, { ...circumstances, brokenReply })
  }
}
