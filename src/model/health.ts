/** Health of the journal. `message` says what is wrong; null while nothing is. */
export interface JournalHealth {
  readonly ok: boolean
  readonly message: string | null
  /** Records in memory that wait to be written. */
  readonly waiting: number
  /** Records lost since the start: they could not be written, and the buffer was full. */
  readonly dropped: number
}

/** Whether the gateway can reach the shared state now. */
export interface SharedHealth {
  readonly ok: boolean
  readonly message: string | null
}
