import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long a browser may keep the answer to a preflight. */
const MAX_AGE_S = 600
/** Headers that a page may read beside the few that every page may. */
const READABLE = [
  'age',
  'idempotent-replayed',
  'retry-after',
  'server-timing',
  'signalbox-attempts',
  'signalbox-dropped',
  'signalbox-hidden',
  'signalbox-route',
  'www-authenticate',
  'signalbox-untrusted',
  'signalbox-warnings',
  'x-correlation-id',
  'x-request-id',
].join(', ')

/** Lets a page of an allowed origin read the answer. */
export function allowPage(reply: FastifyReply, origin: string): void {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': READABLE,
    vary: 'origin',
  })
}

/** Whether a browser asks for the permission to send a call. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** Permits the call with whatever headers the page wants to send: the call itself is checked when it comes. */
export function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
      'access-control-max-age': MAX_AGE_S,
    })
    .send()
}
