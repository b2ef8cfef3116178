import type { Logger } from 'pino'
import type { State } from '../engine/engine.ts'
import type { Settings } from './config.ts'
import { isPostgres } from './open-journal.ts'

/**
 * Makes a gateway's state common to all that have the same `state` setting. Loads the client only for those
 * who use it.
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
    // PostgreSQL has written them to disk when it says so; Redis may lose the last second.
    keysElsewhere: isPostgres(settings.journal),
    onLost: error => logger.warn({ err: error }, 'the shared state cannot be reached'),
    onBack: () => logger.warn('the shared state can be reached again'),
    warn: message => logger.warn(message),
  })
  return { ...state, shared, idempotency: shared.idempotency ?? state.idempotency }
}
