import underPressure from '@fastify/under-pressure'
import type { FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import { GatewayError } from '../../src/model/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route makes calls, so an overloaded gateway refuses it. @default it is always answered */
    readonly admission?: true
  }
}

export interface AdmissionOptions {
  /** How many calls are running. */
  readonly running: () => number
  readonly maxCalls: number
  /** The longest average wait for the event loop, milliseconds. */
  readonly maxLagMs: number
}

const RETRY_AFTER_MS = 1000

/**
 * Refuses calls before any work begins while the gateway has more of it than it can do. Health, metrics and the journal
 * are always answered. A batch that has begun goes on, so that up to a batch more calls can run.
 */
export const admission = plugin<AdmissionOptions>(
  async (app, { running, maxCalls, maxLagMs }) => {
    await app.register(underPressure, {
      maxEventLoopDelay: maxLagMs,
      pressureHandler: refuseCalls,
    })
    app.addHook('onRequest', (request, _reply, next) => {
      const isFull = running() >= maxCalls && makesCalls(request)
      next(isFull ? overloaded(`It runs ${maxCalls} calls already.`) : undefined)
    })
  },
  { name: 'admission', dependencies: ['request-context'] },
)

/** The plugin sends the result, or lets the request pass if there is none. */
function refuseCalls(request: FastifyRequest): void {
  const refusal = makesCalls(request) ? overloaded('Its event loop is busy.') : undefined
  // The plugin's types do not know of this result.
  return refusal as undefined
}

function makesCalls({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.admission === true
}

function overloaded(why: string): GatewayError {
  return new GatewayError(
    'SERVER',
    `The gateway is overloaded and did not begin this call. ${why} Send it again after the time in Retry-After.`,
    { status: 503, source: 'gateway', retryAfterMs: RETRY_AFTER_MS },
  )
}
