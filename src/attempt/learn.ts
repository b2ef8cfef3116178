import type { Run } from '../engine/run.ts'
import type { Card, CardRoute } from '../model/card.ts'
import type { Failure } from '../model/failure.ts'
import { poolName } from '../model/pool.ts'
import type { QuotaReading } from '../model/reply.ts'
import type { AttemptResult } from './attempt-route.ts'
import { readReport } from './quota-report.ts'

/** Keeps what later plans should know of an attempt: the health of its circuit and the state of its quota. */
export function learn(run: Run, route: CardRoute, result: AttemptResult): void {
  const { state, clock } = run.engine
  const now = clock.now()
  // One request that failed is one failure, however many calls of a batch it served.
  if (result.exchange.shared?.isFirst !== false) {
    if (!result.ok && (result.isUnsent || result.failure.source === 'gateway'))
      state.breakers.pass(route.breaker, now)
    else state.breakers.report(route.breaker, result.ok ? null : result.failure.code, now)
  }
  learnQuota(run, route, result, now)
  if (result.ok && run.card.quotas) learnReport(run, result.data, now)
  learnUse(run, result, now)
}

/** Learns whether the service takes the credential. Failures that say nothing about it change nothing. */
function learnUse({ engine, credential }: Run, result: AttemptResult, now: number): void {
  if (credential === null || result.exchange.upstreamRequests === 0) return
  const { credentialUses } = engine.state
  if (!result.ok && result.failure.code === 'AUTH') {
    credentialUses.refuse(credential.id, result.failure.message, now)
  } else if (result.ok || result.failure.source === 'upstream') {
    credentialUses.accept(credential.id, result.exchange.grant ?? null, now)
  }
}

function learnQuota(
  { engine, card, credential }: Run,
  route: CardRoute,
  result: AttemptResult,
  now: number,
): void {
  const { quota } = result.exchange
  const pool = poolOf(card, route, quota?.pool ?? null)
  if (pool === null) return
  const { pools } = engine.state
  const owner = credential?.id ?? ''
  if (quota) pools.observe(pool, owner, quota, now)
  const exhausted = result.ok ? null : exhaustedQuota(result.failure, quota, now)
  if (exhausted) pools.observe(pool, owner, exhausted, now)
}

/** Learns the quotas that the data of a read shows. Skips those that the upstream does not declare. */
function learnReport({ engine, card, input, credential }: Run, data: unknown, now: number): void {
  const { upstream, quotas } = card
  for (const { pool, ...reading } of readReport(quotas, { input, data })) {
    if (!upstream.pools.includes(pool)) continue
    const name = poolName(upstream.id, pool)
    engine.state.pools.observeReport(name, credential?.id ?? '', { pool, ...reading }, now)
  }
}

/** The reading that a rate limit implies: nothing is left until the wait it names is over. */
function exhaustedQuota(
  { sharedFate, retryAfterMs }: Failure,
  quota: QuotaReading | null,
  now: number,
): QuotaReading | null {
  if (sharedFate !== 'pool') return null
  const resetAt = retryAfterMs === null ? null : now + retryAfterMs
  return { pool: null, limit: quota?.limit ?? null, remaining: 0, resetAt }
}

function poolOf({ upstream }: Card, route: CardRoute, named: string | null): string | null {
  return named !== null && upstream.pools.includes(named)
    ? poolName(upstream.id, named)
    : route.pool
}
