import { warnOfEviction } from './open.ts'
import { addressOf, Redis } from './redis.ts'

export interface SharedStateProbe {
  /** Where it is, without the credentials in its address. */
  readonly address: string
  /** Why it cannot be used now; null when it can. */
  readonly trouble: string | null
  /** Settings of the server that are dangerous. */
  readonly warnings: readonly string[]
}

/**
 * Connects once, and writes a key that is gone at once.
 * @throws {SettingsError} when the address is none, or the server refuses.
 */
export async function probeSharedState(
  url: string,
  keysElsewhere: boolean,
): Promise<SharedStateProbe> {
  const warnings: string[] = []
  const redis = new Redis({ url, onLost: () => {}, onBack: () => {} })
  redis.atBeginning(async () => void (await redis.run(WRITE, [redis.key('doctor')], [])))
  if (!keysElsewhere) redis.atBeginning(() => warnOfEviction(redis, text => warnings.push(text)))
  try {
    await redis.open()
    return { address: addressOf(url), trouble: redis.health().message, warnings }
  } finally {
    redis.close()
  }
}

const WRITE = `return redis.call('SET', KEYS[1], '', 'PX', 1)`
