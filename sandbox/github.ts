import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticateApp, isOfApps } from './app-auth.ts'
import { authenticate } from './auth.ts'
import { type Exchange, exchangeOf, openExchange } from './exchange.ts'
import { applyAfter, applyBefore, type Outgoing } from './fault-effects.ts'
import { graphqlEndpoint, operationIn } from './graphql/endpoint.ts'
import { githubHeaders, revalidate } from './headers.ts'
import { chargeQuota } from './rate-limits.ts'
import { appEndpoints } from './rest/apps.ts'
import { restEndpoints } from './rest/endpoints.ts'
import { notFound, toRestError } from './rest/errors.ts'
import type { World } from './world.ts'

/**
 * Both APIs. Each request is logged, may be hit by a fault, is authenticated, charged to its quota
 * and answered. A fault may also change the answer.
 */
export async function github(app: FastifyInstance, { world }: { world: World }): Promise<void> {
  keepBodiesAsText(app)
  app.decorateRequest('exchange', null)
  app.addHook('onRequest', async request => {
    request.setDecorator('exchange', openExchange(world, request))
  })
  app.addHook('preHandler', (request, reply) => admit(world, request, reply))
  app.addHook('onSend', async (request, reply, payload) => {
    const exchange = exchangeOf(request)
    const text = typeof payload === 'string' ? payload : ''
    const sent = finishAnswer(exchange, request, reply, text)
    const isDelivered = !sent.isCut && !request.socket.destroyed
    exchange.row.status = isDelivered ? reply.statusCode : null
    if (!exchange.row.fault) reportAnswer(world, exchange, request, reply, sent.payload)
    return sent.payload
  })

  restEndpoints(app)
  appEndpoints(app)
  graphqlEndpoint(app)
  app.setNotFoundHandler(() => {
    throw notFound()
  })
  app.setErrorHandler((error, _request, reply) => {
    const { status, body } = toRestError(error)
    return reply.code(status).send(body)
  })
}

/** Applies a fault, authenticates the caller and charges the quota. Returns the reply if it was sent. */
async function admit(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const exchange = exchangeOf(request)
  const { row, store } = exchange
  if (row.route === 'graphql') row.operation = operationIn(request.body)

  const fault = world.faults.take(row)
  if (fault) {
    row.fault = fault
    if (await applyBefore(fault, reply)) return reply
  }

  if (isOfApps(row.path)) {
    exchange.app = await authenticateApp(store, request.headers.authorization)
    return undefined
  }
  exchange.principal = authenticate(store, request.headers.authorization, row.path)
  const refusal = chargeQuota(exchange, exchange.principal)
  if (!refusal) return undefined
  return reply
    .code(refusal.status)
    .headers(refusal.headers ?? {})
    .send(refusal.body)
}

function reportAnswer(
  world: World,
  { row }: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): void {
  const { route, method, path, query } = row
  world.onAnswer({
    route,
    method,
    path,
    query,
    request: typeof request.body === 'string' ? request.body : '',
    status: reply.statusCode,
    contentType: String(reply.getHeader('content-type') ?? ''),
    answer: typeof payload === 'string' ? payload : '',
  })
}

/** Adds GitHub's headers to an answer, then applies the fault to it. */
function finishAnswer(
  exchange: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string,
): Outgoing {
  const { fault } = exchange.row
  // A `status` fault simulates a proxy in front of GitHub, which adds no quota headers and no ETag.
  if (fault && 'status' in fault) return { payload, isCut: false }
  const text = revalidate(exchange, request, reply, payload)
  reply.headers(githubHeaders(exchange))
  return fault ? applyAfter(fault, reply, text) : { payload: text, isCut: false }
}

/** Uploads keep their bytes. */
const UPLOAD = /\/releases\/\d+\/assets(?=\?|$)/

/** GitHub ignores the content type, and reports a broken body with its own messages. */
function keepBodiesAsText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, ({ url }, body: Buffer, done) =>
    done(null, UPLOAD.test(url) ? body : body.toString()),
  )
}
