/**
 * Durations counted on a logarithmic scale: counts can be added up over minutes, routes and gateways,
 * and percentiles read off the sum. Three bins to a doubling, so an estimate is a few percent off.
 */
const FIRST_BOUND_MS = 0.5
const BINS_PER_DOUBLING = 3
/** The last bin takes everything beyond a minute and a half. */
export const BINS = 55

/** The bin of a duration: the first whose upper bound is not below it. */
export function binOf(ms: number): number {
  if (ms <= FIRST_BOUND_MS) return 0
  return Math.min(Math.ceil(Math.log2(ms / FIRST_BOUND_MS) * BINS_PER_DOUBLING), BINS - 1)
}

/** Counts of durations, with the extremes as they were measured. */
export interface Durations {
  readonly bins: readonly number[]
  readonly min: number
  readonly max: number
}

export function mergeDurations(all: readonly Durations[]): Durations {
  const bins = Array.from({ length: BINS }, (_, bin) =>
    all.reduce((sum, durations) => sum + (durations.bins[bin] ?? 0), 0),
  )
  return {
    bins,
    min: Math.min(...all.map(({ min }) => min)),
    max: Math.max(...all.map(({ max }) => max)),
  }
}

/** The duration that this share of all does not exceed, in tenths of a millisecond; null without any. */
export function percentile({ bins, min, max }: Durations, share: number): number | null {
  const count = bins.reduce((sum, n) => sum + n, 0)
  if (count === 0) return null
  const wanted = share * count
  let below = 0
  const bin = bins.findIndex(n => {
    below += n
    return below >= wanted && n > 0
  })
  const inBin = bins[bin] ?? 1
  const estimate = interpolate(bin, (wanted - (below - inBin)) / inBin)
  return Math.round(Math.min(Math.max(estimate, min), max) * 10) / 10
}

/** Within a bin durations are taken to be spread evenly on the same logarithmic scale. */
function interpolate(bin: number, share: number): number {
  return FIRST_BOUND_MS * 2 ** ((bin - 1 + share) / BINS_PER_DOUBLING)
}
