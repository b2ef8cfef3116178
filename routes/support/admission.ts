import type { onRequestHookHandler } from 'fastify'
import plugin from 'fastify-plugin'
import { measureEventLoopLag } from '../../src/lib/event-loop-lag.ts'
import { GatewayError } from '../../src/model/errors.ts'
import type { RefusalReason } from '../../src/model/refusal-reason.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The route makes one call, so an overloaded gateway refuses it before it reads the body. Batches and MCP ask by
     * themselves, because their bodies name the calls. @default it is always answered
     */
    readonly admission?: true
  }
}

export interface AdmissionLimits {
  /** How many calls are running. */
  readonly running: () => number
  readonly maxCalls: number
  /** The longest average wait for the event loop, milliseconds, in each of two seconds. */
  readonly maxLagMs: number
}

/** Why the gateway can begin no further call now; null if it can. */
export type Admission = () => GatewayError | null

const RETRY_AFTER_MS = 1000

export function openAdmission({
  running,
  maxCalls,
  maxLagMs,
}: AdmissionLimits): Disposable & { readonly admission: Admission } {
  const lag = measureEventLoopLag()
  return {
    admission() {
      if (running() >= maxCalls) {
        const calls = maxCalls === 1 ? 'call' : 'calls'
        return overloaded('calls', `It runs ${maxCalls} ${calls} already.`)
      }
      return lag.ms() > maxLagMs ? overloaded('lag', 'Its event loop is busy.') : null
    },
    [Symbol.dispose]: () => lag[Symbol.dispose](),
  }
}

/**
 * Refuses calls before any work begins while the gateway has more of it than it can do. Health, metrics and the journal
 * are always answered. A batch that has begun goes on, so that up to a batch more calls can run.
 */
export const admitCalls = plugin<{ readonly admission: Admission }>(
  (app, { admission }, done) => {
    const admit: onRequestHookHandler = (_request, _reply, next) => next(admission() ?? undefined)
    app.addHook('onRoute', route => {
      if (route.config?.admission) route.onRequest = [...[route.onRequest ?? []].flat(), admit]
    })
    done()
  },
  { name: 'admission', dependencies: ['request-context'] },
)

function overloaded(refused: RefusalReason, why: string): GatewayError {
  return new GatewayError(
    'SERVER',
    `The gateway is overloaded and did not begin this call. ${why} Wait a second, then send it again.`,
    { status: 503, source: 'gateway', retryAfterMs: RETRY_AFTER_MS, details: { refused } },
  )
}
