/** Rounds milliseconds to tenths: the clock is no more precise than that. */
export function roundMs(ms: number): number {
  return Math.round(ms * 10) / 10
}
