import type {
  Adapter,
  CallContext,
  ConnectOptions,
  RouteCall,
  SectionCompiler,
} from '../../src/model/adapter.ts'
import type { ExpressionScope } from '../../src/model/expression.ts'
import { NO_EXCHANGE, type Reply } from '../../src/model/reply.ts'
import { HttpConnection } from '../http/connection.ts'
import { expressionFailure } from '../http/judge/expression-failure.ts'
import type { HttpRequest } from '../http/wire/client.ts'
import { compileHeaders } from '../http/wire/request-headers.ts'
import { readingOf } from './reading.ts'
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

interface CompiledCall {
  readonly card: RestCardSection
  /** How to read the answer from the wire. */
  readonly reading: Pick<HttpRequest, 'binary' | 'collecting'>
  readonly build: RequestBuilder
  /** Members of the answer that the card asks for. */
  readonly asked: ReadonlySet<string>
}

const NOTHING: ReadonlySet<string> = new Set()

class RestConnection extends HttpConnection {
  readonly #base: RequestBase

  constructor(section: RestUpstreamSection, options: ConnectOptions) {
    const base = new URL(section.base_url)
    super(base.origin, section, options)
    const { headers: declared = {} } = section
    this.#base = {
      path: base.pathname.replace(/\/$/, ''),
      headers: compileHeaders(declared, {}, options.compiler),
      declared,
      declaresAccept: Object.keys(declared).some(name => name.toLowerCase() === 'accept'),
    }
  }

  override compile(section: unknown, compiler: SectionCompiler): RouteCall {
    const card = section as RestCardSection
    const build = compileRequest(card, this.#base, compiler)
    const { asked = NOTHING } = compiler
    const reading = readingOf(card, compiler)
    return {
      unavailable: () => null,
      call: (scope, context) => this.#call({ card, build, reading, asked }, scope, context),
    }
  }

  async #call(
    { card, build, reading, asked }: CompiledCall,
    scope: ExpressionScope,
    context: CallContext,
  ): Promise<Reply> {
    let request: HttpRequest
    try {
      const built = build(scope, context)
      request = built instanceof Promise ? await built : built
    } catch (error) {
      const failure = expressionFailure(error, scope.input)
      return { ok: false, failure, exchange: NO_EXCHANGE }
    }
    const { held, signal } = context
    const result = await this.client.send({ ...request, ...reading, held }, signal)
    if (!result.ok) return this.brokenReply(result, context.effect)
    return readRestReply(result, {
      ...this.circumstancesOf('rest', request, scope.input, context),
      card,
      asked,
      conditional: context.etag !== undefined,
    })
  }
}
