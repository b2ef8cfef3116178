/**
 * The journal orders and pages rows by a key of its own: the millisecond at which the request began, times
 * KEYS_PER_MS, plus a number that separates requests of the same millisecond. Request ids cannot serve as keys:
 * callers may choose them, in any order and more than once. A key is a safe integer until the year 2255.
 */
export const KEYS_PER_MS = 1000

const LAST_TIME = Math.floor(Number.MAX_SAFE_INTEGER / KEYS_PER_MS) - 1

/** The smallest key that a request can have that began at this time or later. */
export function firstKeyAt(time: number): number {
  return Math.min(Math.max(Math.ceil(time), 0), LAST_TIME) * KEYS_PER_MS
}

let counter = 0

/** A key that is probably free; saves asking the database. */
export function suggestKey(time: number): number {
  counter = (counter + 1) % KEYS_PER_MS
  return firstKeyAt(time) + counter
}
