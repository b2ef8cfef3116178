import { type Clock, systemClock } from '../lib/clock.ts'
import type { Payloads } from './rows.ts'

/**
 * The durability of a commit. `normal`: in SQLite the death of the process, at no measurable cost; in PostgreSQL
 * as the server is configured. `full`: also a loss of power, at the cost of a disk flush for each commit.
 */
export type Durability = 'normal' | 'full'

/** How a journal is opened, in any database. */
export interface JournalOptions {
  /** @default the system's */
  readonly clock?: Clock
  /** Called for each record that cannot be stored, and when something else fails that is no outage. */
  readonly onError: (error: unknown) => void
  /** Called once when writing begins to fail. @default onError */
  readonly onAway?: ((error: unknown) => void) | undefined
  /** Called once when everything that waited is written after a failure. @default no call */
  readonly onBack?: (() => void) | undefined
  /** @default 'off' */
  readonly payloads?: Payloads
  /** @default 'normal' */
  readonly durability?: Durability
  /** Texts to remove from everything that is kept, e.g. the keys of the gateway. @default none */
  readonly secrets?: () => readonly string[]
  /** Records held in memory while the database cannot be written. @default 64 MiB */
  readonly maxBufferBytes?: number
}

export const DEFAULTS = {
  clock: systemClock,
  payloads: 'off',
  durability: 'normal',
  secrets: () => [],
  maxBufferBytes: 64 * 1024 * 1024,
} as const satisfies Partial<JournalOptions>
