/** Median and quartiles: figures that outliers hardly change. */
export interface Spread {
  readonly low: number
  readonly median: number
  readonly high: number
}

export function spreadOf(values: readonly number[]): Spread {
  return {
    low: quantile(values, 0.25),
    median: quantile(values, 0.5),
    high: quantile(values, 0.75),
  }
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Interpolates between the two nearest values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}
