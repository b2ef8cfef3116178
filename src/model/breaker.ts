/** The key of a circuit: each upstream has one per route. */
export function breakerKey(upstream: string, route: string): string {
  return `${upstream}:${route}`
}

/** The state of a circuit: it sends requests, refuses them, or sends one as a probe. */
export const BREAKER_KINDS = ['closed', 'open', 'half_open'] as const
export type BreakerKind = (typeof BREAKER_KINDS)[number]
