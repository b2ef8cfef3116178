import { type Clock, systemClock } from '../lib/clock.ts'
import type { Payloads } from './rows.ts'

/** How a journal is opened, in any database. */
export interface JournalOptions {
  /** @default the system's */
  readonly clock?: Clock
  /** Called once when writing begins to fail, for each record that cannot be stored, and when housekeeping fails. */
  readonly onError: (error: unknown) => void
  /** @default 'off' */
  readonly payloads?: Payloads
  /** Texts to remove from everything that is kept, e.g. the keys of the gateway. @default none */
  readonly secrets?: readonly string[]
  /** Records held in memory while the database cannot be written. @default 64 MiB */
  readonly maxBufferBytes?: number
}

export const DEFAULTS = {
  clock: systemClock,
  payloads: 'off',
  secrets: [],
  maxBufferBytes: 64 * 1024 * 1024,
} as const satisfies Partial<JournalOptions>
