import { monitorEventLoopDelay } from 'node:perf_hooks'

const INTERVAL_MS = 1000
const RESOLUTION_MS = 10

/** How long work waits for its turn on the event loop. Disposing ends the measurement. */
export interface EventLoopLag extends Disposable {
  /** Average wait, milliseconds, in the calmer of the last two seconds. One long pause, which is over, does not count. */
  readonly ms: () => number
}

export function measureEventLoopLag(): EventLoopLag {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  let [previous, current] = [0, 0]
  const timer = setInterval(() => {
    // A loop that was blocked all the time has no measurements.
    const mean = histogram.count === 0 ? INTERVAL_MS : histogram.mean / 1e6 - RESOLUTION_MS
    ;[previous, current] = [current, mean]
    histogram.reset()
  }, INTERVAL_MS).unref()
  return {
    ms: () => Math.min(previous, current),
    [Symbol.dispose]() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
