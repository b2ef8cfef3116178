/**
 * Loaded into a gateway by `node --expose-gc --import`. At SIGWINCH it collects all garbage, and writes the bytes of the heap that
 * are still in use to a file of SOAK_HEAPS that is named after the process. Without a garbage collection, the size of a heap
 * says little about what the gateway holds. (It shuts down at SIGUSR2.)
 */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

const { SOAK_HEAPS } = process.env
if (isMainThread && SOAK_HEAPS) {
  const file = join(SOAK_HEAPS, String(process.pid))
  process.on('SIGWINCH', () => {
    // The second one collects what finalizers release.
    globalThis.gc?.()
    globalThis.gc?.()
    const { used_heap_size, external_memory } = getHeapStatistics()
    writeFileSync(`${file}.part`, String(used_heap_size + external_memory))
    renameSync(`${file}.part`, file)
  })
}
