import type { Clock } from '../lib/clock.ts'

/** Something to write. */
export interface Entry {
  /** Approximate size in memory. */
  readonly bytes: number
  /** Dropped before other entries when the buffer is full. */
  readonly expendable: boolean
}

/** An entry that the database rejects for good, e.g. because a value has the wrong type. */
export interface Refusal<T> {
  readonly entry: T
  readonly error: unknown
}

export interface WriteBufferOptions<T> {
  readonly clock: Clock
  readonly maxBytes: number
  /** Writes the batch in one transaction. Returns the entries that the database rejected; throws if nothing was written. */
  readonly write: (batch: readonly T[]) => readonly Refusal<T>[] | Promise<readonly Refusal<T>[]>
  /** Called for each refusal. */
  readonly onError: (error: unknown) => void
  /** Called once when writing begins to fail. @default onError */
  readonly onAway?: ((error: unknown) => void) | undefined
  /** Called once when everything that waited is written after a failure. @default no call */
  readonly onBack?: (() => void) | undefined
  /** Called at the end with what could not be written. Returns how many records are lost. @default all are lost */
  readonly spill?: (left: readonly T[]) => number
  /** How long a transaction waits for announced entries, in milliseconds. @default 1 */
  readonly gatherMs?: number
}
