/** How many numbers to try after the last one that fits. */
const CLIMB = 8

/**
 * The largest number from `low` to `high` that fits, or null. A binary search, since more items take more room. There
 * are exceptions: "99 left out" is shorter than "100 left out". So it tries the numbers after the result one by one.
 */
export function largestThatFits(
  low: number,
  high: number,
  fits: (number: number) => boolean,
): number | null {
  let best: number | null = null
  let [from, to] = [low, high]
  while (from <= to) {
    const middle = Math.floor((from + to) / 2)
    if (fits(middle)) {
      best = middle
      from = middle + 1
    } else {
      to = middle - 1
    }
  }
  for (let next = from + 1; next <= Math.min(high, from + CLIMB); next++) {
    if (fits(next)) best = next
  }
  return best
}
