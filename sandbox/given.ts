/** True unless the value is null or absent. Most of GitHub's inputs treat the two alike. */
export function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== null && value !== undefined
}
