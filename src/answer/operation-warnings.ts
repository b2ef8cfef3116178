import type { Execution } from '../engine/execution.ts'
import type { JournalHealth, SharedHealth } from '../model/health.ts'
import type { Reason } from '../model/reasons.ts'
import { createWarning, WARNINGS, type Warning } from '../model/warnings.ts'
import type { Settled } from './to-answer.ts'

/** Warnings about how the call went: fallback, deprecation, a journal or shared state that is unavailable. */
export function operationWarnings(
  execution: Execution,
  settled: Settled,
  health: JournalHealth,
  shared: SharedHealth | null,
): readonly Warning[] {
  const warnings: Warning[] = []
  const fallback = fallbackWarning(execution, settled)
  if (fallback) warnings.push(fallback)
  const unconfirmed = unconfirmedWarning(execution, settled)
  if (unconfirmed) warnings.push(unconfirmed)
  const deprecated = execution.card?.deprecated ?? null
  if (deprecated !== null) warnings.push(createWarning('DEPRECATED', deprecated))
  if (!health.ok) {
    const message = 'The journal cannot be written at present; this call may be missing from it.'
    warnings.push(createWarning('JOURNAL_DEGRADED', message))
  }
  if (shared && !shared.ok) {
    warnings.push(createWarning('STATE_DEGRADED', WARNINGS.STATE_DEGRADED))
  }
  return warnings
}

/** No other route has answered. */
const NO_FALLBACK: readonly Reason[] = ['RECOVERED', 'CACHE_HIT']

/** Services answer with a success although they left out what this caller may not set. */
function unconfirmedWarning({ card, asked }: Execution, settled: Settled): Warning | null {
  if (!card?.lacks || !('ok' in settled) || !settled.ok) return null
  try {
    const sentence = card.lacks({ input: asked, data: settled.data })
    return typeof sentence === 'string' ? createWarning('NOT_CONFIRMED', sentence) : null
  } catch {
    return createWarning(
      'NOT_CONFIRMED',
      'The answer has a form that cannot be compared with the input.',
    )
  }
}

function fallbackWarning({ attempts }: Execution, settled: Settled): Warning | null {
  if (!('ok' in settled) || !settled.ok) return null
  const failed = attempts.find(({ route, status }) => status === 'error' && route !== settled.route)
  if (!failed || NO_FALLBACK.includes(settled.reason)) return null
  const message = `${failed.route} failed with ${failed.error_code}; ${settled.route} answered instead.`
  return createWarning('FALLBACK_USED', message, {
    details: { failed: failed.route, code: failed.error_code, used: settled.route },
  })
}
