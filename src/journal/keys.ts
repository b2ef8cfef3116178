/**
 * Rows are ordered and paged by a key of the journal's own: the millisecond at which the request began,
 * and a number that tells apart those of the same millisecond. Request ids will not do, because callers
 * may choose theirs, out of order and more than once. A key is a safe integer until the year 2255.
 */
export const KEYS_PER_MS = 1000

const LAST_TIME = Math.floor(Number.MAX_SAFE_INTEGER / KEYS_PER_MS) - 1

/** At or below the key of everything that began at that time or later, above everything before. */
export function firstKeyAt(time: number): number {
  return Math.min(Math.max(Math.ceil(time), 0), LAST_TIME) * KEYS_PER_MS
}

let count = 0

/** Likely to be free, without a look at the database. */
export function suggestKey(time: number): number {
  count = (count + 1) % KEYS_PER_MS
  return firstKeyAt(time) + count
}
