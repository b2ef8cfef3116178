/** Runs `work` for each item in order, at most `most` at a time. Rejects when `work` does. */
export async function inParallel<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // All lanes share one iterator: each takes the next item when it has finished one.
  const queue = items.values()
  const next = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, next))
}
