/**
 * Waits for `work`, at most `ms` milliseconds; the work itself goes on.
 * @throws {Error} with `message` when the time is up.
 */
export async function within<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(message)), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
