/** How far beyond the last fitting number is looked for another that fits. */
const CLIMB = 8

/**
 * The largest number from `low` to `high` that fits, or null. Found by halving, since more takes more
 * room. Not strictly: "left out 99" is shorter than "left out 100", so the last steps are tried one by one.
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
