import type { FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import { measureEventLoopLag } from '../../src/lib/event-loop-lag.ts'
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
  /** The longest average wait for the event loop, milliseconds, in each of two seconds. */
  readonly maxLagMs: number
}

const RETRY_AFTER_MS = 1000

/**
 * Refuses calls before any work begins while the gateway has more of it than it can do. Health, metrics and the journal
 * are always answered. A batch that has begun goes on, so that up to a batch more calls can run.
 */
export const admission = plugin<AdmissionOptions>(
  (app, { running, maxCalls, maxLagMs }, done) => {
    const lag = measureEventLoopLag()
    app.addHook('onClose', () => lag[Symbol.dispose]())
    app.addHook('onRequest', (request, _reply, next) => {
      const why = makesCalls(request) ? whyOverloaded() : null
      next(why === null ? undefined : overloaded(why))
    })
    done()

    function whyOverloaded(): string | null {
      if (running() >= maxCalls) return `It runs ${maxCalls} calls already.`
      return lag.ms() > maxLagMs ? 'Its event loop is busy.' : null
    }
  },
  { name: 'admission', dependencies: ['request-context'] },
)

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
