import { join } from 'node:path'
import { pino } from 'pino'
import { type Catalog, createCatalog } from '../../src/cards/catalog.ts'
import { createState, type Engine } from '../../src/engine/engine.ts'
import { buildApp } from '../../src/gateway/app.ts'
import { loadSettings } from '../../src/gateway/config.ts'
import { createEngine, type RunningEngine } from '../../src/gateway/create-engine.ts'
import { breakerKey } from '../../src/model/breaker.ts'
import type { Card } from '../../src/model/card.ts'
import { ringOf } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'
import { type Schedule, SETTLES_MS } from './schedule.ts'

export interface GatewayPlace {
  /** Base URL of the upstream. */
  readonly upstream: string
  /** Holds the journal and the settings of `gh`. */
  readonly directory: string
  /** PATH of the gateway. Empty hides `gh`. */
  readonly searchPath: string
  /** Timeout of an attempt while another route is left. */
  readonly attemptMs: number
}

/** The settings of the gateway for one run. */
export type RunSettings = Pick<Schedule, 'tripped' | 'verifiesComments'>

/**
 * The shipped gateway with three changes: cards settle fast, one may lack `verify`, and the state
 * can be cleared between runs.
 */
export interface ChaosGateway extends AsyncDisposable {
  readonly url: string
  /** Clears quotas, breakers and shared reads, then opens the breakers of the tripped routes. */
  begin(settings: RunSettings): void
}

export async function openGateway(place: GatewayPlace): Promise<ChaosGateway> {
  const env = {
    PATH: place.searchPath,
    ...githubEnv(place.upstream),
    GH_CONFIG_DIR: place.directory,
    SIGNALBOX_JOURNAL: join(place.directory, 'journal.sqlite'),
  }
  const settings = loadSettings(env, null, { attempt_timeout_ms: place.attemptMs })
  const logger = pino({ level: 'silent' })
  const made = await createEngine({ settings, env, logger })
  let { state } = made
  const verifying = catalogOf(made.catalog.all().map(settlingFast))
  const unverifying = catalogOf(verifying.all().map(withoutCommentVerify))
  let catalog = verifying
  const engine: RunningEngine = {
    ...made,
    get catalog() {
      return catalog
    },
    get state() {
      return state
    },
  }
  const app = await buildApp({ engine, settings, ring: ringOf(settings), logger })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    begin({ tripped, verifiesComments }) {
      catalog = verifiesComments ? verifying : unverifying
      state = createState(made.state.idempotency, made.clock.now())
      for (const route of tripped) trip(state.breakers, breakerKey('github', route))
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await made[Symbol.asyncDispose]()
    },
  }
}

function catalogOf(cards: readonly Card[]): Catalog {
  return createCatalog(new Map(cards.map(card => [card.id, card])))
}

function withoutCommentVerify(card: Card): Card {
  return card.id === 'issue.comments.create' ? { ...card, verify: null } : card
}

function settlingFast(card: Card): Card {
  return card.verify ? { ...card, verify: { ...card.verify, settlesMs: SETTLES_MS } } : card
}

function trip(breakers: Engine['state']['breakers'], key: string): void {
  while (breakers.openUntil(key, Date.now()) === null) breakers.report(key, 'SERVER', Date.now())
}
