import type { Engine } from '../engine/engine.ts'
import type { Job } from '../engine/job.ts'
import type { Card, CardRoute } from '../model/card.ts'
import type { AttemptResult } from './attempt.ts'

/** Takes from an attempt what the next plan should know. */
export function learn(engine: Engine, job: Job, route: CardRoute, result: AttemptResult): void {
  const now = engine.clock.now()
  // One request that failed is one failure, however many calls it was for.
  if (result.exchange.shared?.isFirst !== false) {
    engine.state.breakers.report(route.breaker, result.ok ? null : result.failure.code, now)
  }
  learnQuota(engine, job, route, result, now)
}

function learnQuota(
  { state: { pools } }: Engine,
  job: Job,
  route: CardRoute,
  result: AttemptResult,
  now: number,
): void {
  const { quota } = result.exchange
  const credential = job.credential?.id ?? ''
  const pool = poolOf(job.card, route, quota?.pool ?? null)
  if (pool && quota) pools.observe(pool, credential, quota, now)
  if (!pool || result.ok || result.failure.sharedFate !== 'pool') return
  const resetAt = result.failure.retryAfterMs === null ? null : now + result.failure.retryAfterMs
  pools.observe(
    pool,
    credential,
    { pool: null, limit: quota?.limit ?? null, remaining: 0, resetAt },
    now,
  )
}

function poolOf({ upstream }: Card, route: CardRoute, named: string | null): string | null {
  return named !== null && upstream.pools.includes(named) ? `${upstream.id}:${named}` : route.pool
}
