import type { CapabilitiesOf, Client, Id } from './client.ts'
import type { AnyCallOptions } from './options.ts'
import type { Result } from './result.ts'

export interface RetryOptions {
  /** How often a call is sent at most. @default 4 */
  readonly attempts?: number
  /** A call that should wait longer is not sent again. @default 60000 */
  readonly maxWaitMs?: number
}

/**
 * The same client, whose calls follow `error.next`: it sends a call again after the wait that the gateway advises,
 * and only if the gateway says that the call may be sent again. Each call gets an Idempotency-Key, the same for all
 * its attempts, so a change is made at most once even if its answer is lost. Batches, and calls with another `profile` than
 * `default`, are not sent again.
 */
export function retrying<C extends CapabilitiesOf<C>>(
  client: Client<C>,
  { attempts = 4, maxWaitMs = 60_000 }: RetryOptions = {},
): Client<C> {
  return {
    batch: (build, options) => client.batch(build, options),
    async call(id: Id<C>, input: never, options: AnyCallOptions = {}) {
      // Other dialects say elsewhere whether a call may be sent again.
      const isEnvelope = (options.profile ?? 'default') === 'default'
      const keyed = { ...options, idempotencyKey: options.idempotencyKey ?? createKey() }
      for (let attempt = 1; ; attempt++) {
        const result: Result<unknown> = await client.call(id, input, keyed as never)
        const wait = isEnvelope ? waitOf(result) : null
        if (wait === null || wait > maxWaitMs || attempt >= attempts) return result as never
        await sleep(wait, options.signal)
      }
    },
  }
}

/** How long to wait before the call may be sent again; null if it must not be. */
function waitOf(result: Result<unknown>): number | null {
  if (result.ok || !result.error.retryable) return null
  const { action, after_ms } = result.error.next
  return action === 'retry' || action === 'wait' ? (after_ms ?? 1000) : null
}

/** `crypto.randomUUID` is missing on pages without TLS. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }, ms)
    signal?.addEventListener('abort', leave, { once: true })
  })
}
