import { getHeapStatistics } from 'node:v8'

const MOST_HELD = 256 * 1024 * 1024

/** Text, values and envelope of an answer take a multiple of its bytes, and all of them are in the heap. */
export function usualHeldBytes(): number {
  return Math.min(MOST_HELD, Math.floor(getHeapStatistics().heap_size_limit / 16))
}
