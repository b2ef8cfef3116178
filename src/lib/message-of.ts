/** The text of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The same for a connection: if the host has several addresses, connecting fails at each of them. */
export function reasonOf(error: unknown): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
  return errors.map(messageOf).join('; ')
}
