import { Counter, type Registry } from 'prom-client'
import type { Attempt } from '../model/envelope.ts'

/** Counts each attempt that repeats the one before it, or that comes after another route could not serve the call. */
export function createMoveCounters(registry: Registry) {
  const registers = [registry]
  const retries = new Counter({
    name: 'signalbox_retries_total',
    help: 'Attempts that repeated the one before them on the same route. reason is the error code of that one.',
    labelNames: ['upstream', 'route', 'reason'],
    registers,
  })
  const fallbacks = new Counter({
    name: 'signalbox_fallbacks_total',
    help: 'Attempts on a route because another could not serve the call. route is that other one; reason is its error code, or why it was skipped.',
    labelNames: ['upstream', 'route', 'reason'],
    registers,
  })
  return (attempts: readonly Attempt[], upstream: string): void => {
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
}
