/** The journal cannot be opened. The message says why, and what the operator can do. */
export class JournalError extends Error {
  override readonly name = 'JournalError'
}
