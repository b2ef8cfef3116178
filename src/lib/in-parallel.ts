/** Does the work for each item, in order, at most so many at once. The first ones begin at once; rejects as the work does. */
export async function inParallel<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // One iterator for all: each takes the next item when it has done its last.
  const queue = items.values()
  const next = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, next))
}
