/** Permissions that a gateway key may have beyond the capabilities that every key may call. */
export const SCOPES = ['graphql', 'metrics'] as const
export type Scope = (typeof SCOPES)[number]
