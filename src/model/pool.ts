/** The name of an upstream's quota pool among the pools of all upstreams, e.g. `github:core`. */
export function poolName(upstream: string, pool: string): string {
  return `${upstream}:${pool}`
}
