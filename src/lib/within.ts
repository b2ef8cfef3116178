/** Waits until `work` ends, well or not, at most `ms` milliseconds; the work itself goes on. Never rejects. */
export function endOf(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    work.then(end, end)
  })
}

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
  work.then(end(resolve), end(reject))
  return promise
}
