/** A way to reach the upstream. */
export type Route = 'cli' | 'graphql' | 'rest'

export const ROUTES = ['rest', 'graphql', 'cli'] as const satisfies readonly Route[]

/** Whether repeating a call is harmless: it changes nothing (`read`), reaches the same state (`idempotent`), or does harm (`write`). */
export const EFFECTS = ['read', 'idempotent', 'write'] as const
export type Effect = (typeof EFFECTS)[number]
