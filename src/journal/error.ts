/** A journal that cannot be had. The message says why, and what its operator can do. */
export class JournalError extends Error {
  override readonly name = 'JournalError'
}
