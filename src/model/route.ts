/** A way to reach the upstream. */
export type Route = 'cli' | 'graphql' | 'rest'

export const ROUTES = ['rest', 'graphql', 'cli'] as const satisfies readonly Route[]

/** The result of repeating a call: no change (`read`), the same state again (`idempotent`), or harm (`write`). */
export const EFFECTS = ['read', 'idempotent', 'write'] as const
export type Effect = (typeof EFFECTS)[number]
