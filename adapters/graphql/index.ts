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
import type { HttpResult } from '../http/wire/answer.ts'
import { createHttpClient, type HttpClient } from '../http/wire/client.ts'
import { compileHeaders, type HeaderBuilder } from '../http/wire/request-headers.ts'
import { lazySchema, type SchemaSource } from './document.ts'
import { compileOperation, type Operation } from './operation.ts'
import { readReply } from './reply.ts'
import { GraphqlCardSection, GraphqlUpstreamSection } from './schema.ts'
import { SharedRequests } from './shared-requests.ts'

type Scope = Readonly<Record<string, unknown>>

/** Speaks GraphQL over HTTP. */
export function createGraphqlAdapter(): Adapter {
  return {
    route: 'graphql',
    cardSchema: GraphqlCardSection,
    upstreamSchema: GraphqlUpstreamSection,
    connect: (section, options) =>
      new GraphqlConnection(section as GraphqlUpstreamSection, options),
  }
}

/** What is asked for; both kinds of JSON that servers answer with. */
const DEFAULT_HEADERS = {
  accept: 'application/graphql-response+json, application/json;q=0.9',
  'content-type': 'application/json',
}

class GraphqlConnection implements Connection {
  readonly #client: HttpClient
  readonly #path: string
  readonly #headers: HeaderBuilder
  readonly #schema: SchemaSource
  readonly #options: ConnectOptions
  readonly #shared = new SharedRequests((body, context, signal) =>
    this.#post(body, context, signal),
  )

  constructor(section: GraphqlUpstreamSection, options: ConnectOptions) {
    const { compiler } = options
    const { sdl } = section
    const url = new URL(section.url)
    const ca = section.ca === undefined ? null : compiler.readText(section.ca)
    this.#client = createHttpClient(url.origin, section, ca)
    this.#path = url.pathname + url.search
    this.#headers = compileHeaders(section.headers ?? {}, DEFAULT_HEADERS, compiler)
    this.#schema =
      sdl === undefined
        ? () => null
        : lazySchema(() =>
            [sdl]
              .flat()
              .map(path => compiler.readText(path))
              .join('\n'),
          )
    this.#options = options
  }

  compile(section: unknown, compiler: SectionCompiler): RouteCall {
    const card = section as GraphqlCardSection
    const operation = compileOperation(card, this.#schema, compiler)
    return {
      unavailable: () => null,
      call: (scope, context) => this.#send(operation, scope, context),
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

  async #send(operation: Operation, scope: Scope, context: CallContext): Promise<Reply> {
    let body: string
    try {
      body = operation.body(scope)
    } catch (error) {
      return { ok: false, failure: refusedExpression(error), exchange: NO_EXCHANGE }
    }
    const { batch, effect, signal } = context
    if (batch && effect === 'read') {
      const read = (result: HttpResult, part?: unknown) =>
        this.#read(result, operation, scope, context, part)
      return await this.#shared.send(batch, {
        query: operation.mergeable(scope),
        body,
        context,
        read,
      })
    }
    return this.#read(await this.#post(body, context, signal), operation, scope, context)
  }

  #post(body: string, context: CallContext, signal: Signal): Promise<HttpResult> {
    const request = { method: 'POST', path: this.#path, headers: this.#headers(context), body }
    return this.#client.send(request, signal)
  }

  #read(
    result: HttpResult,
    operation: Operation,
    scope: Scope,
    context: CallContext,
    part?: unknown,
  ): Reply {
    const { upstream, rules, now } = this.#options
    if (!result.ok) {
      return {
        ok: false,
        failure: breakFailure(result, upstream, now()),
        exchange: exchangeOf(result, now()),
      }
    }
    const circumstances = {
      route: 'graphql',
      upstream,
      rules,
      effect: context.effect,
      input: scope.input,
      method: 'POST',
      path: this.#path,
      origin: this.#client.origin,
      secrets: context.credential ? [context.credential.token] : [],
      now: now(),
      isMutation: operation.isMutation,
      isCallers: operation.isCallers,
    } as const
    return readReply(result, circumstances, part)
  }
}
