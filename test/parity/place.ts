import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import {
  createSandbox,
  type QuotaName,
  type Seed,
  type SeenAnswer,
  type Store,
  seedDefault,
} from '../../sandbox/index.ts'
import { execute } from '../../src/call/execute.ts'
import { createState, type Engine } from '../../src/engine/engine.ts'
import { loadSettings } from '../../src/gateway/config.ts'
import { createEngine } from '../../src/gateway/create-engine.ts'
import type { Answer } from '../../src/model/envelope.ts'
import { ROUTES, type Route } from '../../src/model/route.ts'
import { SCOPES } from '../../src/model/scopes.ts'
import { githubEnv } from '../support/github.ts'
import { gh } from '../support/parts.ts'
import type { Input } from './case.ts'

/** An engine with its own sandbox. It runs cases one at a time. */
export interface Place extends AsyncDisposable {
  readonly engine: Engine
  /** The routes that this machine can run. */
  readonly routes: readonly Route[]
  /** Resets the sandbox, applies `given`, and clears the engine's state from earlier calls. */
  begin(given?: Seed): Store
  readonly call: (id: string, input: Input, route: Route) => Promise<Answer>
}

/** Later than everything in the seed. The clock stands still, so that all routes write equal times. */
const NOW = Date.UTC(2026, 2, 1)

export async function openPlace(onAnswer?: (seen: SeenAnswer) => void): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), 'sb-'))
  const socketPath = join(directory, 'gh.sock')
  let given: Seed = () => {}
  const seed: Seed = store => {
    seedDefault(store)
    liftQuotas(store)
    given(store)
  }
  const sandbox = await createSandbox({
    socketPath,
    seed,
    now: () => NOW,
    ...(onAnswer && { onAnswer }),
  })
  await writeFile(join(directory, 'config.yml'), `http_unix_socket: ${socketPath}\n`)
  const env = {
    PATH: process.env.PATH,
    ...githubEnv(sandbox.url),
    GH_CONFIG_DIR: directory,
    SIGNALBOX_JOURNAL: ':memory:',
  }
  const settings = loadSettings(env, null)
  const engine = await createEngine({ settings, env, logger: pino({ level: 'silent' }) })
  let fresh: Engine = engine
  return {
    engine,
    routes: ROUTES.filter(route => route !== 'cli' || gh.available),
    begin(change = () => {}) {
      given = change
      sandbox.reset()
      fresh = { ...engine, state: createState(engine.state.idempotency, engine.clock.now()) }
      return sandbox.store
    },
    call: async (capability, input, route) =>
      await execute(fresh, {
        capability,
        input,
        route,
        caller: { name: 'parity', operator: true, scopes: SCOPES },
      }),
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]()
      await sandbox.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Paging through a long list one by one takes more calls than a search quota allows in a minute. */
function liftQuotas(store: Store): void {
  const principal = store.tokens.find('sandbox-token')
  for (const name of Object.keys(principal?.quotas ?? {}) as QuotaName[]) {
    const quota = principal?.quotas[name]
    if (quota) quota.limit = 1_000_000
  }
}
