import type { Channel } from '../../lib/channel.ts'
import { SettingsError } from '../../model/settings-error.ts'

/** The question, which every worker answers as soon as its event loop turns. */
export const ALIVE = 'alive'

/** How many looks at a worker fit into the time after which it counts as frozen. */
const LOOKS = 10

export interface WatchdogOptions {
  readonly channel: Pick<Channel, 'ask'>
  /** How long the worker may stay silent; 0 for no limit. */
  readonly silentMs: number
  /** Called once. */
  readonly onFrozen: () => void
}

/**
 * Watches a worker for as long as it runs. Counts its own looks at the worker instead of the time: while a suspended machine, or
 * only this process, stands still, it does not look, so a worker that stood still with it has as many looks left as before.
 * @returns a function to call when the worker has ended
 */
export function watchWorker({ channel, silentMs, onFrozen }: WatchdogOptions): () => void {
  if (silentMs === 0) return () => {}
  let looks = 0
  const ask = () => {
    looks = 1
    channel.ask(ALIVE).then(
      () => (looks = 0),
      () => {},
    )
  }
  const look = () => {
    if (looks === 0) return ask()
    if (looks++ < LOOKS) return
    clearInterval(timer)
    onFrozen()
  }
  const timer = setInterval(look, Math.ceil(silentMs / LOOKS))
  return () => clearInterval(timer)
}

/**
 * Refuses a time that was meant in seconds: it would kill each worker while it begins.
 * @throws {SettingsError}
 */
export function assertPatience(silentMs: number): void {
  if (silentMs === 0 || silentMs >= 1_000) return
  throw new SettingsError(
    `worker_silent_ms is not usable: ${silentMs} is less than a second. Set SIGNALBOX_WORKER_SILENT_MS to 1000 or more, or to 0 for ever.`,
  )
}
