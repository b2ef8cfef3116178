import { once } from '../../src/lib/late.ts'
import { messageOf } from '../../src/lib/message-of.ts'
import type { Signal } from '../../src/lib/signal.ts'
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
import type { HttpResult } from '../http/wire/answer.ts'
import { compileSecretQuery, type SecretQuery } from '../http/wire/place-credential.ts'
import { compileHeaders, type HeaderBuilder } from '../http/wire/request-headers.ts'
import { buildSchema, type SchemaSource } from './document.ts'
import { compileOperation, type Operation } from './operation.ts'
import { readGraphqlReply } from './reply.ts'
import { GraphqlCardSection, GraphqlUpstreamSection } from './schema.ts'
import { SharedRequests } from './shared-requests.ts'

/** Calls GraphQL APIs over HTTP. */
export function createGraphqlAdapter(): Adapter {
  return {
    route: 'graphql',
    cardSchema: GraphqlCardSection,
    upstreamSchema: GraphqlUpstreamSection,
    connect: (section, options) =>
      new GraphqlConnection(section as GraphqlUpstreamSection, options),
  }
}

/** Accepts both media types that GraphQL servers answer with. */
const DEFAULT_HEADERS = {
  accept: 'application/graphql-response+json, application/json;q=0.9',
  'content-type': 'application/json',
}

const METHOD = 'POST'

class GraphqlConnection extends HttpConnection {
  readonly #path: string
  readonly #headers: HeaderBuilder
  readonly #secretQuery: SecretQuery
  readonly #schema: SchemaSource
  readonly #shared = new SharedRequests((body, context, signal) =>
    this.#post(body, context, signal),
  )

  constructor(section: GraphqlUpstreamSection, options: ConnectOptions) {
    const url = new URL(section.url)
    super(url.origin, section, options)
    const { compiler } = options
    this.#path = url.pathname + url.search
    this.#headers = compileHeaders(section.headers ?? {}, DEFAULT_HEADERS, options)
    this.#secretQuery = compileSecretQuery(options.schemes)
    this.#schema = schemaOf(section, compiler)
  }

  override compile(section: unknown, compiler: SectionCompiler): RouteCall {
    const card = section as GraphqlCardSection
    const operation = compileOperation(card, this.#schema, compiler)
    return {
      unavailable: () => null,
      call: (scope, context) => this.#call(operation, scope, context),
    }
  }

  #call(operation: Operation, scope: ExpressionScope, context: CallContext): PromiseLike<Reply> {
    let body: string
    try {
      body = operation.body(scope)
    } catch (error) {
      const failure = expressionFailure(error, scope.input)
      return Promise.resolve({ ok: false, failure, exchange: NO_EXCHANGE })
    }
    const { batch, effect, signal } = context
    context.onSent?.({ method: METHOD, origin: this.client.origin, path: this.#path })
    if (batch && effect === 'read') {
      const read = (result: HttpResult, part?: unknown) =>
        this.#read(result, operation, scope, context, part)
      const query = operation.mergeable(scope)
      return this.#shared.send(batch, { query, body, context, read })
    }
    return this.#post(body, context, signal).then(result =>
      this.#read(result, operation, scope, context),
    )
  }

  #post(body: string, context: CallContext, signal: Signal): PromiseLike<HttpResult> {
    const headers = this.#headers(context)
    const { held, credential, effect } = context
    const request = {
      method: METHOD,
      path: this.#path,
      headers,
      body,
      held,
      once: effect === 'write',
      secretQuery: this.#secretQuery(credential),
      secrets: credential?.secrets,
    }
    return this.client.send(request, signal)
  }

  #read(
    result: HttpResult,
    { isMutation, isCallersDocument }: Operation,
    { input }: ExpressionScope,
    context: CallContext,
    part?: unknown,
  ): Reply {
    if (!result.ok) return this.brokenReply(result, context.effect)
    const request = { method: METHOD, path: this.#path }
    const circumstances = this.circumstancesOf('graphql', request, input, context)
    return readGraphqlReply(result, { ...circumstances, isMutation, isCallersDocument }, part)
  }
}

function schemaOf({ sdl }: GraphqlUpstreamSection, compiler: SectionCompiler): SchemaSource {
  if (sdl === undefined) return () => null
  return once(() => {
    const texts = [sdl].flat().map(path => compiler.readText(path, ['sdl']))
    if (texts.includes(null)) return null
    try {
      return buildSchema(texts.join('\n'))
    } catch (error) {
      const fix = 'Correct the schema, or fetch it again.'
      compiler.problem(['sdl'], `is no GraphQL schema: ${messageOf(error)}`, fix)
      return null
    }
  })
}
