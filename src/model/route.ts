/** The ways to reach an upstream. */
export const ROUTES = ['rest', 'graphql', 'cli'] as const
export type Route = (typeof ROUTES)[number]

/** The result of repeating a call: no change (`read`), the same state again (`idempotent`), or harm (`write`). */
export const EFFECTS = ['read', 'idempotent', 'write'] as const
export type Effect = (typeof EFFECTS)[number]
