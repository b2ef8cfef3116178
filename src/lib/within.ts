/**
 * Waits for `work`, at most `ms` milliseconds; the work itself goes on.
 * @throws {Error} with `message` when the time is up.
 */
export function within<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(new Error(message)), ms)
  const end =
    <A>(settle: (outcome: A) => void) =>
    (outcome: A) => {
      clearTimeout(timer)
      settle(outcome)
    }
  // Every call waits here for its record, and Promise.race would take twice as many promises.
  work.then(end(resolve), end(reject))
  return promise
}
