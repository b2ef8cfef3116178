import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from './auth.ts'
import { arrive, type Exchange, exchangeOf } from './exchange.ts'
import { type Struck, strikeAfter, strikeBefore } from './fault-effects.ts'
import { graphqlEndpoint, operationIn } from './graphql/endpoint.ts'
import { githubHeaders, revalidate } from './headers.ts'
import { drawOnQuota } from './rate-limits.ts'
import { restEndpoints } from './rest/endpoints.ts'
import { notFound, toRestError } from './rest/errors.ts'
import type { World } from './world.ts'

/**
 * Both APIs, in GitHub's order: a request arrives, a fault may strike it, the token is checked, the
 * quota is charged, the endpoint answers, and on the way out the fault may strike again.
 */
export async function github(app: FastifyInstance, { world }: { world: World }): Promise<void> {
  keepBodiesAsText(app)
  app.decorateRequest('exchange', null)

  app.addHook('onRequest', async request => {
    request.setDecorator('exchange', arrive(world, request))
  })

  app.addHook('preHandler', async (request, reply) => {
    const exchange = exchangeOf(request)
    const { row, store } = exchange
    if (row.route === 'graphql') row.operation = operationIn(request.body)

    const fault = world.faults.take(row)
    if (fault) {
      row.fault = fault
      const outcome = await strikeBefore(fault, reply)
      exchange.isForged = outcome === 'answered'
      if (outcome !== 'untouched') return reply
    }

    exchange.principal = authenticate(store, request.headers.authorization)
    const refusal = drawOnQuota(exchange, exchange.principal)
    if (refusal) {
      return reply
        .code(refusal.status)
        .headers(refusal.headers ?? {})
        .send(refusal.body)
    }
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const exchange = exchangeOf(request)
    const { row } = exchange
    const text = typeof payload === 'string' ? payload : ''
    const sent = exchange.isForged
      ? { payload: text, isCut: false }
      : leave(exchange, request, reply, text)
    const isHeard = !sent.isCut && !request.socket.destroyed
    row.status = isHeard ? reply.statusCode : null
    return sent.payload
  })

  restEndpoints(app)
  graphqlEndpoint(app)
  app.setNotFoundHandler(() => {
    throw notFound()
  })
  app.setErrorHandler((error, _request, reply) => {
    const { status, body } = toRestError(error)
    return reply.code(status).send(body)
  })
}

/** GitHub's own marks on an answer, and what the fault does to it. */
function leave(
  exchange: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string,
): Struck {
  const text = revalidate(exchange, request, reply, payload)
  reply.headers(githubHeaders(exchange))
  const { fault } = exchange.row
  return fault ? strikeAfter(fault, reply, text) : { payload: text, isCut: false }
}

/** Content types do not matter to GitHub, and what it says about a broken body is its own. */
function keepBodiesAsText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
}
