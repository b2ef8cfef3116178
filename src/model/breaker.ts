/** The key of a circuit: each upstream has one per route. */
export function breakerKey(upstream: string, route: string): string {
  return `${upstream}:${route}`
}

/** What a circuit does with the next request: sends it, refuses it, or sends it as a probe. */
export const BREAKER_KINDS = ['closed', 'open', 'half_open'] as const
export type BreakerKind = (typeof BREAKER_KINDS)[number]
