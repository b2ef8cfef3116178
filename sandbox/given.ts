/** Neither null nor absent: in most inputs GitHub takes the two alike. */
export function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== null && value !== undefined
}
