import { firstKeyAt } from './keys.ts'

/** How long requests are kept. Failures and fallbacks are what operators come back for, so they stay longer. */
export interface Retention {
  /** Days that plain successes are kept. @default 7 */
  readonly days: number
  /** Days that everything else is kept. @default 30 */
  readonly failure_days: number
}

export const DEFAULT_RETENTION: Retention = { days: 7, failure_days: 30 }

export const SWEEP_EVERY_MS = 10 * 60 * 1000

const DAY_MS = 24 * 60 * 60 * 1000

/** The keys below which requests have expired: plain successes, and all others; of these also the time. */
export function expiredKeys({ days, failure_days }: Retention, now: number) {
  return {
    othersTime: now - failure_days * DAY_MS,
    plain: firstKeyAt(now - days * DAY_MS),
    others: firstKeyAt(now - failure_days * DAY_MS),
  }
}
