import { setTimeout as delay } from 'node:timers/promises'
import type { CallResult } from './gateway.ts'

/** The answers that clients have received so far. */
export interface Load {
  /** The request ids of the calls that succeeded. */
  readonly answered: readonly string[]
  /** The errors of those that did not. */
  readonly failed: readonly unknown[]
  end(): Promise<void>
}

/** Starts one client for each call, which repeats it until the load ends. */
export function startLoad(calls: readonly (() => Promise<CallResult>)[]): Load {
  const answered: string[] = []
  const failed: unknown[] = []
  let ending = false
  const clients = calls.map(async call => {
    while (!ending) {
      const { status, body } = await call()
      if (status === 200) answered.push(body.meta.request_id)
      else failed.push(body.error)
      // Sets the rate of the load.
      await delay(10)
    }
  })
  return {
    answered,
    failed,
    async end() {
      ending = true
      await Promise.all(clients)
    },
  }
}
