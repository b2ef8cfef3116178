import plugin from 'fastify-plugin'
import type { KeyRing } from '../../src/access/key-ring.ts'
import type { Caller } from '../../src/model/caller.ts'
import { type ErrorCode, GatewayError } from '../../src/model/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set before any handler of /v1 runs. */
    caller: Caller
    /** Monotonic milliseconds at which the request arrived. */
    startedAt: number
    /** What was answered, for the log; null until then. */
    told: { readonly capability: string | null; readonly code: ErrorCode | null } | null
  }
}

export interface RequestContextOptions {
  readonly keys: KeyRing
}

/** Endpoints that tell nothing of anybody's calls, and that probes and browsers must reach. */
const OPEN = /^\/(livez|readyz|metrics|openapi\.json|docs|inspector|favicon\.ico)(\/|\?|$)/

/** Knows who calls, before anything else happens; puts the request id on every answer. */
export const requestContext = plugin<RequestContextOptions>(
  (app, { keys }, done) => {
    app.decorateRequest('caller')
    app.decorateRequest('startedAt', 0)
    app.decorateRequest('told', null)
    app.addHook('onRequest', (request, reply, next) => {
      request.startedAt = performance.now()
      reply.header('x-request-id', request.id)
      if (OPEN.test(request.url)) return next()
      const caller = keys.identify(request.headers.authorization, request.headers.host)
      if (caller instanceof GatewayError) return next(caller)
      request.caller = caller
      next()
    })
    done()
  },
  { name: 'request-context' },
)
