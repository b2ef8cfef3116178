/** A way to reach the upstream. */
export type Route = 'cli' | 'graphql' | 'rest'

export const ROUTES = ['rest', 'graphql', 'cli'] as const satisfies readonly Route[]

/** What repeating a call does: nothing (`read`), the same state again (`idempotent`), or harm (`write`). */
export const EFFECTS = ['read', 'idempotent', 'write'] as const
export type Effect = (typeof EFFECTS)[number]
