/** `message` says what is wrong, and is null while all is well. */
export interface JournalHealth {
  readonly ok: boolean
  readonly message: string | null
  /** Records in memory that are not written yet. */
  readonly waiting: number
  /** Records lost since the start because they could not be written and the buffer was full. */
  readonly dropped: number
}

/** Whether what the gateways share can be reached now. */
export interface SharedHealth {
  readonly ok: boolean
  readonly message: string | null
}
