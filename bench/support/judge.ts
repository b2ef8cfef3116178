import type { Spread } from './spread.ts'

/** The cost of a request relative to a proxy, with the distance of two equal proxies in the same run. */
export interface GuardFigure extends Spread {
  readonly noise: number
}

/** With more noise than this share of a figure, a run says nothing. */
export const TOO_NOISY = 0.25

/**
 * Judges a figure by the one that is committed. The noise is half the distance of the quartiles of either run, and the
 * distance between two equal proxies in either; more than that is a rise.
 */
export function judge(before: GuardFigure, now: GuardFigure) {
  const noise = Math.max(halfWidth(before) + halfWidth(now), before.noise + now.noise)
  const most = before.median * (1 + noise)
  const risen = now.median > most
  return { ok: noise <= TOO_NOISY && !risen, risen, most, noise }
}

function halfWidth({ low, median, high }: Spread): number {
  return (high - low) / 2 / median
}
