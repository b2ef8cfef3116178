import { join } from 'node:path'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { createCatalog } from '../../src/catalog.ts'
import type { Card } from '../../src/cards/card.ts'
import { loadSettings } from '../../src/config.ts'
import { createEngine } from '../../src/create-engine.ts'
import { createState, type Engine } from '../../src/engine.ts'
import type { Route } from '../../src/outcome.ts'
import { breakerKey } from '../../src/state/breakers.ts'
import { SETTLES_MS } from './schedule.ts'

export interface GatewayPlace {
  /** Base URL of the upstream. */
  readonly upstream: string
  /** Holds the journal and the settings of `gh`. */
  readonly directory: string
  /** Where `gh` is looked for; empty hides it. */
  readonly searchPath: string
  /** For an attempt while another route is left. */
  readonly attemptMs: number
}

/** The gateway as it ships, but for two things: cards settle fast, and its memory can be wiped between runs. */
export interface ChaosGateway extends AsyncDisposable {
  readonly url: string
  /** Forgets quotas, breakers and shared reads, and opens the breakers of these routes. */
  begin(tripped: readonly Route[]): void
}

export async function openGateway(place: GatewayPlace): Promise<ChaosGateway> {
  const env = {
    PATH: place.searchPath,
    GITHUB_API_URL: place.upstream,
    GITHUB_GRAPHQL_URL: `${place.upstream}/graphql`,
    GITHUB_TOKEN: 'sandbox-token',
    GH_CONFIG_DIR: place.directory,
    SIGNALBOX_JOURNAL: join(place.directory, 'journal.sqlite'),
  }
  const settings = loadSettings(env, null, { attempt_timeout_ms: place.attemptMs })
  const logger = pino({ level: 'silent' })
  const made = await createEngine({ settings, env, logger })
  let { state } = made
  const engine: Engine = {
    ...made,
    catalog: createCatalog(new Map(made.catalog.all().map(card => [card.id, settlingFast(card)]))),
    get state() {
      return state
    },
  }
  const app = await buildApp({ engine, settings, logger })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    begin(tripped) {
      state = createState(made.state.idempotency)
      for (const route of tripped) trip(state.breakers, breakerKey('github', route))
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await made[Symbol.asyncDispose]()
    },
  }
}

function settlingFast(card: Card): Card {
  return card.verify ? { ...card, verify: { ...card.verify, settlesMs: SETTLES_MS } } : card
}

function trip(breakers: Engine['state']['breakers'], key: string): void {
  while (breakers.openUntil(key, Date.now()) === null) breakers.report(key, 'SERVER', Date.now())
}
