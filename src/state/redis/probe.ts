import { warnOfEviction } from './open.ts'
import { addressOf, Redis } from './redis.ts'

export interface SharedStateProbe {
  /** The address without its credentials. */
  readonly address: string
  /** Why it cannot be used now; null if it can. */
  readonly trouble: string | null
  /** Warnings about dangerous settings of the server. */
  readonly warnings: readonly string[]
}

/**
 * Connects once, and writes a key that expires immediately.
 * @throws {SettingsError} if the address is invalid, or the server refuses.
 */
export async function probeSharedState(
  url: string,
  keysElsewhere: boolean,
): Promise<SharedStateProbe> {
  const warnings: string[] = []
  const redis = new Redis({ url, onLost: () => {}, onBack: () => {} })
  redis.onConnect(async () => void (await redis.run(WRITE, [redis.key('doctor')], [])))
  if (!keysElsewhere) redis.onConnect(() => warnOfEviction(redis, text => warnings.push(text)))
  try {
    await redis.open()
    return { address: addressOf(url), trouble: redis.health().message, warnings }
  } finally {
    redis.close()
  }
}

const WRITE = `return redis.call('SET', KEYS[1], '', 'PX', 1)`
