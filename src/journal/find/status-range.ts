/** The statuses that a filter stands for: `503` is one, `5xx` is a class. */
export function statusRange(filter: string): [from: number, to: number] {
  const first = Number(filter.slice(0, 1)) * 100
  return isClass(filter) ? [first, first + 99] : [Number(filter), Number(filter)]
}

/** Whether the filter stands for several statuses. */
export function isClass(filter: string | undefined): filter is string {
  return filter !== undefined && /^\dxx$/.test(filter)
}

export function includesStatus(filter: string, status: number): boolean {
  const [from, to] = statusRange(filter)
  return from <= status && status <= to
}
