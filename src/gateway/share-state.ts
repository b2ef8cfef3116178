import type { Logger } from 'pino'
import { ulid } from 'ulid'
import type { State } from '../engine/engine.ts'
import { KeyClaims } from '../state/key-claims.ts'
import { PrimaryStore } from '../state/local/store.ts'
import type { Settings } from './config.ts'
import { isPostgres } from './journal-place.ts'
import { outagesOf } from './outages.ts'
import type { WorkerLink } from './workers/link.ts'

/**
 * Shares the state among all gateways with the same `state` setting, or among the workers of one. Loads the Redis client only when
 * it is used.
 * @throws {SettingsError}
 */
export async function shareState(
  state: State,
  settings: Pick<Settings, 'state' | 'journal'>,
  logger: Pick<Logger, 'warn'>,
  link: WorkerLink | null = null,
): Promise<State> {
  if (settings.state === 'memory')
    return link === null ? state : await shareAmongWorkers(state, link)
  const outages = outagesOf(logger, link)
  const outage = outages('state')
  const { shareInRedis } = await import('../state/redis/open.ts')
  const shared = await shareInRedis({
    url: settings.state,
    state,
    // PostgreSQL confirms after it has written to disk; Redis may lose the last second.
    keysElsewhere: isPostgres(settings.journal),
    onLost: error => outage.onAway(error),
    onBack: outage.onBack,
    warn: message => logger.warn(message),
  })
  if (link !== null) await countAmongWorkers(state, link)
  const { idempotency } = shared
  const claims = idempotency && new KeyClaims(idempotency, outages('keys'))
  return { ...state, shared, ...(claims && { idempotency: claims }) }
}

/** Lets the workers of this gateway keep one count of their keys' calls while Redis is away. */
async function countAmongWorkers({ keyLimits }: State, { channel }: WorkerLink): Promise<void> {
  const { RedisKeyLimits } = await import('../state/redis/key-limits.ts')
  keyLimits.ownWorkers = new RedisKeyLimits(new PrimaryStore(channel))
}

async function shareAmongWorkers(state: State, { channel }: WorkerLink): Promise<State> {
  const { shareThrough } = await import('../state/redis/share.ts')
  const store = new PrimaryStore(channel)
  const board = shareThrough(store, ulid(), state)
  await store.open()
  return { ...state, shared: { health: () => store.health(), close: () => board.close() } }
}
