/** The key of a circuit: each upstream has one per route. */
export function breakerKey(upstream: string, route: string): string {
  return `${upstream}:${route}`
}
