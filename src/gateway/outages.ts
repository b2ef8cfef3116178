import type { Logger } from 'pino'
import { messageOf } from '../lib/message-of.ts'
import type { OutageLog } from '../lib/outage.ts'

/** The log lines for the beginning and the end of an outage, by the store. */
const LINES = {
  keys: [
    'the store of Idempotency-Keys is away; calls with a key are refused',
    'the store of Idempotency-Keys can be used again',
  ],
  approvals: [
    'the store of approvals is away; calls that a person must approve are refused',
    'the store of approvals can be used again',
  ],
  audit: [
    'the audit cannot be written; decisions wait in memory',
    'the audit can be written again',
  ],
} as const

/** Logs outages of the journal, with the stack: records that cannot be stored come here too. */
export function logJournal(logger: Pick<Logger, 'warn'>) {
  return {
    onError: (error: unknown) => logger.warn({ err: error }, 'the journal cannot be written'),
    onBack: () => logger.warn('the journal can be written again'),
  }
}

/** Logs the outages of a store, without a stack: the error says what the store is like, not where a bug is. */
export function logOutages(store: keyof typeof LINES, logger: Pick<Logger, 'warn'>): OutageLog {
  const [away, back] = LINES[store]
  return {
    onAway: error => logger.warn({ reason: messageOf(error) }, away),
    onBack: () => logger.warn(back),
  }
}
