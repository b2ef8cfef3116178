import type { Logger } from 'pino'
import { type Capabilities, openCapabilities } from '../cards/capabilities.ts'
import { SHIPPED_DIRECTORIES } from '../cards/load.ts'
import { createState, type Engine } from '../engine/engine.ts'
import type { Tracing } from '../engine/spans.ts'
import { systemClock } from '../lib/clock.ts'
import { createIdFactory } from '../lib/request-id.ts'
import type { Environment } from '../model/environment.ts'
import { createAdapters } from './adapters.ts'
import type { Settings } from './config.ts'
import { openDurableState } from './open-journal.ts'
import { shareState } from './share-state.ts'

export interface EngineOptions {
  readonly settings: Settings
  readonly env: Environment
  readonly logger: Pick<Logger, 'error' | 'warn'>
  /** @default none */
  readonly tracing?: Tracing | null
}

/**
 * Puts the parts together: cards with their connections, the journal, the policy.
 * @throws {CardsError} when a card or upstream is faulty.
 */
export async function createEngine({
  settings,
  env,
  logger,
  tracing = null,
}: EngineOptions): Promise<Engine & Pick<Capabilities, 'reload'> & AsyncDisposable> {
  const maxTimeoutMs = Math.max(settings.timeout_ms, 600_000)
  const capabilities = await openCapabilities({
    directories: [...SHIPPED_DIRECTORIES, ...settings.capabilities],
    // `signalbox check`, which the tests run, has looked at them.
    proven: SHIPPED_DIRECTORIES,
    adapters: createAdapters(),
    env,
    now: systemClock.now,
    longestRequestMs: maxTimeoutMs,
  })
  const { journal, idempotency } = await openDurableState(settings, logger)
  const closeDurable = async () => {
    await idempotency.close()
    await journal.close()
  }
  const state = await shareState(createState(idempotency), settings, logger).catch(async error => {
    await closeDurable()
    throw error
  })
  return {
    catalog: capabilities.catalog,
    hints: capabilities.hints,
    upstreams: capabilities.upstreams,
    reload: () => capabilities.reload(),
    journal,
    state,
    clock: systemClock,
    policy: {
      timeoutMs: settings.timeout_ms,
      maxTimeoutMs,
      attemptTimeoutMs: settings.attempt_timeout_ms,
      reserveMs: 20,
      retries: settings.retries,
    },
    random: Math.random,
    createRequestId: createIdFactory(),
    observers: new Set(),
    tracing,
    onBug: (error, requestId) =>
      logger.error({ err: error, request_id: requestId }, 'the gateway failed'),
    async [Symbol.asyncDispose]() {
      await capabilities[Symbol.asyncDispose]()
      await state.shared?.close()
      await closeDurable()
    },
  }
}
