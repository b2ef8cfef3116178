import { roundMs } from '../../lib/round-ms.ts'

/**
 * Counts durations on a logarithmic scale. Counts can be added up over minutes, routes and gateways, and percentiles
 * computed from the sum. With three bins for each doubling, an estimate is a few percent off.
 */
const FIRST_BOUND_MS = 0.5
const BINS_PER_DOUBLING = 3
/** The last bin counts everything above a minute and a half. */
export const BINS = 55

/** The first bin whose upper bound is not below the duration. */
export function binOf(ms: number): number {
  if (ms <= FIRST_BOUND_MS) return 0
  return Math.min(Math.ceil(Math.log2(ms / FIRST_BOUND_MS) * BINS_PER_DOUBLING), BINS - 1)
}

/** Counts of durations, with the exact extremes. */
export interface Durations {
  readonly bins: number[]
  min: number
  max: number
}

/** The initial extremes are such that any duration replaces them, and every database can store them. */
export function noDurations(): Durations {
  return { bins: Array.from({ length: BINS }, () => 0), min: 1e9, max: 0 }
}

/** Plain loops here and below, for speed: a day of stats has a million bins. */
export function addDurations(total: Durations, added: Durations): void {
  for (let bin = 0; bin < BINS; bin++) {
    total.bins[bin] = (total.bins[bin] ?? 0) + (added.bins[bin] ?? 0)
  }
  total.min = Math.min(total.min, added.min)
  total.max = Math.max(total.max, added.max)
}

/** The duration that this share of all does not exceed, in milliseconds; null without durations. */
export function percentile({ bins, min, max }: Durations, share: number): number | null {
  let count = 0
  for (let bin = 0; bin < BINS; bin++) count += bins[bin] ?? 0
  if (count === 0) return null
  const wanted = share * count
  let below = 0
  for (let bin = 0; bin < BINS; bin++) {
    const here = bins[bin] ?? 0
    if (here > 0 && below + here >= wanted) {
      const estimate = interpolate(bin, (wanted - below) / here)
      return roundMs(Math.min(Math.max(estimate, min), max))
    }
    below += here
  }
  return max
}

/** Assumes that durations are spread evenly within a bin, on the logarithmic scale. */
function interpolate(bin: number, share: number): number {
  return FIRST_BOUND_MS * 2 ** ((bin - 1 + share) / BINS_PER_DOUBLING)
}
