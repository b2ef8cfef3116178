import type { Signal } from '../../src/lib/signal.ts'
import type {
  Adapter,
  CallContext,
  Connection,
  ConnectOptions,
  Reachability,
  RouteCall,
  SectionCompiler,
} from '../../src/model/adapter.ts'
import type { Reply } from '../../src/model/reply.ts'
import { NO_EXCHANGE } from '../../src/model/reply.ts'
import { breakFailure, exchangeOf } from '../http/judge/failure.ts'
import { refusedExpression } from '../http/judge/refused-expression.ts'
import { reach } from '../http/reach.ts'
import { createHttpClient, type HttpClient, type HttpRequest } from '../http/wire/client.ts'
import { compileHeaders, type HeaderBuilder } from '../http/wire/request-headers.ts'
import { readReply } from './reply.ts'
import { compileRequest, type RequestBuilder } from './request.ts'
import { RequestError } from './request-error.ts'
import { RestCardSection, RestUpstreamSection } from './schema.ts'

/** Speaks JSON over HTTP: one request for a call. */
export function createRestAdapter(): Adapter {
  return {
    route: 'rest',
    cardSchema: RestCardSection,
    upstreamSchema: RestUpstreamSection,
    connect: (section, options) => new RestConnection(section as RestUpstreamSection, options),
  }
}

class RestConnection implements Connection {
  readonly #client: HttpClient
  readonly #basePath: string
  readonly #headers: HeaderBuilder
  readonly #options: ConnectOptions

  constructor(section: RestUpstreamSection, options: ConnectOptions) {
    const base = new URL(section.base_url)
    const ca = section.ca === undefined ? null : options.compiler.readText(section.ca)
    this.#client = createHttpClient(base.origin, section, ca)
    this.#basePath = base.pathname.replace(/\/$/, '')
    this.#headers = compileHeaders(
      section.headers ?? {},
      { accept: 'application/json' },
      options.compiler,
    )
    this.#options = options
  }

  compile(section: unknown, compiler: SectionCompiler): RouteCall {
    const card = section as RestCardSection
    const build = compileRequest(card, this.#basePath, this.#headers, compiler)
    return {
      unavailable: () => null,
      call: (scope, context) => this.#call(card, build, scope, context),
    }
  }

  get target(): string {
    return this.#client.origin
  }

  reach(signal: Signal): Promise<Reachability> {
    return reach(this.#client, this.#options.upstream, signal)
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  async #call(
    card: RestCardSection,
    build: RequestBuilder,
    scope: Readonly<Record<string, unknown>>,
    context: CallContext,
  ): Promise<Reply> {
    let request: HttpRequest
    try {
      request = build(scope, context)
    } catch (error) {
      const failure = error instanceof RequestError ? error.toFailure() : refusedExpression(error)
      return { ok: false, failure, exchange: NO_EXCHANGE }
    }
    const { upstream, now, rules } = this.#options
    const result = await this.#client.send(request, context.signal)
    if (!result.ok) {
      return {
        ok: false,
        failure: breakFailure(result, upstream, now()),
        exchange: exchangeOf(result, now()),
      }
    }
    return readReply(result, {
      route: 'rest',
      upstream,
      rules,
      effect: context.effect,
      input: scope.input,
      method: request.method,
      path: request.path,
      origin: this.#client.origin,
      secrets: context.credential ? [context.credential.token] : [],
      now: now(),
      card,
      conditional: context.etag !== undefined,
    })
  }
}
