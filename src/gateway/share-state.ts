import type { Logger } from 'pino'
import type { State } from '../engine/engine.ts'
import { KeyClaims } from '../state/key-claims.ts'
import type { Settings } from './config.ts'
import { isPostgres } from './open-journal.ts'

/**
 * Shares the state among all gateways with the same `state` setting. Loads the Redis client only when it is used.
 * @throws {SettingsError}
 */
export async function shareState(
  state: State,
  settings: Pick<Settings, 'state' | 'journal'>,
  logger: Pick<Logger, 'warn'>,
): Promise<State> {
  if (settings.state === 'memory') return state
  const { shareInRedis } = await import('../state/redis/open.ts')
  const shared = await shareInRedis({
    url: settings.state,
    state,
    // PostgreSQL confirms after it has written to disk; Redis may lose the last second.
    keysElsewhere: isPostgres(settings.journal),
    onLost: error => logger.warn({ err: error }, 'the shared state cannot be reached'),
    onBack: () => logger.warn('the shared state can be reached again'),
    warn: message => logger.warn(message),
  })
  const { idempotency } = shared
  return { ...state, shared, ...(idempotency && { idempotency: new KeyClaims(idempotency) }) }
}
