import { Counter, Histogram, type Registry } from 'prom-client'
import { outcomeOf } from '../model/attempt-outcome.ts'
import type { Attempt } from '../model/envelope.ts'

/** @param buckets upper bounds of the durations, seconds */
export function createAttemptCounters(registry: Registry, buckets: number[]) {
  const { attempts: made, skips, ...moves } = createCounters(registry, buckets)
  return (attempts: readonly Attempt[], upstream: string): void => {
    for (const attempt of attempts) {
      const { route, status, reason = 'none', duration_ms = 0 } = attempt
      if (status === 'skipped') skips.inc({ upstream, route, reason })
      else made.observe({ upstream, route, outcome: outcomeOf(attempt) }, duration_ms / 1000)
    }
    if (attempts.length > 1) countMoves(attempts, upstream, moves)
  }
}

type Counters = ReturnType<typeof createCounters>

/** Counts each attempt that repeats the one before it, or that comes after another route could not serve the call. */
function countMoves(
  attempts: readonly Attempt[],
  upstream: string,
  { retries, fallbacks }: Pick<Counters, 'retries' | 'fallbacks'>,
): void {
  let before: Attempt | null = null
  for (const attempt of attempts) {
    // The reads that verify a write have a plan of their own.
    if (attempt.purpose === 'verify') continue
    if (attempt.status !== 'skipped' && before !== null) {
      const reason = before.error_code ?? before.reason ?? 'none'
      const labels = { upstream, route: before.route, reason }
      if (before.route === attempt.route) retries.inc(labels)
      else fallbacks.inc(labels)
    }
    before = attempt
  }
}

function createCounters(registry: Registry, buckets: number[]) {
  const registers = [registry]
  return {
    attempts: new Histogram({
      name: 'signalbox_attempt_duration_seconds',
      help: 'Duration of one call on a route. outcome is success or the error code.',
      labelNames: ['upstream', 'route', 'outcome'],
      buckets,
      registers,
    }),
    skips: new Counter({
      name: 'signalbox_routes_skipped_total',
      help: 'How often a route was skipped.',
      labelNames: ['upstream', 'route', 'reason'],
      registers,
    }),
    retries: new Counter({
      name: 'signalbox_retries_total',
      help: 'Attempts that repeated the one before them on the same route. reason is the error code of that one.',
      labelNames: ['upstream', 'route', 'reason'],
      registers,
    }),
    fallbacks: new Counter({
      name: 'signalbox_fallbacks_total',
      help: 'Attempts on a route because another could not serve the call. route is that other one; reason is its error code, or why it was skipped.',
      labelNames: ['upstream', 'route', 'reason'],
      registers,
    }),
  }
}
