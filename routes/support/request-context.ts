import type { FastifyInstance, FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import type { KeyRing } from '../../src/access/key-ring.ts'
import type { Caller } from '../../src/model/caller.ts'
import { type ErrorCode, GatewayError } from '../../src/model/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler of any route that is not open. */
    caller: Caller
    /** Monotonic milliseconds at which the request arrived. */
    startedAt: number
    /** A summary of the envelope that was sent, for the log; null before. */
    answered: { readonly capability: string | null; readonly code: ErrorCode | null } | null
  }
  interface FastifyContextConfig {
    /**
     * `open` routes answer without a gateway key. They show nothing of anybody's calls, and probes and
     * browsers must reach them.
     * @default a key is required, where keys are configured
     */
    readonly access?: 'open'
  }
}

/** The `config` of a route that answers without a gateway key. */
export const OPEN = { access: 'open' } as const

/** Opens every route that a scope registers from here on, those of its plugins included. */
export function openAllRoutes(scope: FastifyInstance): void {
  scope.addHook('onRoute', route => {
    route.config = { ...route.config, ...OPEN }
  })
}

export interface RequestContextOptions {
  readonly keys: KeyRing
}

/** Identifies the caller before anything else happens, and puts the request id on every answer. */
export const requestContext = plugin<RequestContextOptions>(
  (app, { keys }, done) => {
    app.decorateRequest('caller')
    app.decorateRequest('startedAt', 0)
    app.decorateRequest('answered', null)
    app.addHook('onRequest', (request, reply, next) => {
      request.startedAt = performance.now()
      reply.header('x-request-id', request.id)
      if (isOpen(request)) return next()
      const caller = keys.identify(request.headers.authorization, request.headers.host)
      if (caller instanceof GatewayError) return next(caller)
      request.caller = caller
      next()
    })
    done()
  },
  { name: 'request-context' },
)

function isOpen({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.access === 'open'
}
