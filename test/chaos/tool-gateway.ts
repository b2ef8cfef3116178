import { join } from 'node:path'
import { pino } from 'pino'
import { createState } from '../../src/engine/engine.ts'
import { buildApp } from '../../src/gateway/app.ts'
import { loadSettings } from '../../src/gateway/config.ts'
import { createEngine, type RunningEngine } from '../../src/gateway/create-engine.ts'
import type { Envelope } from '../../src/model/envelope.ts'
import { ringOf } from '../support/gateway.ts'

/** The shipped gateway with one pack of its own, below the directory. */
export async function openToolGateway(directory: string) {
  const env = {
    PATH: process.env.PATH ?? '',
    SIGNALBOX_JOURNAL: join(directory, 'journal.sqlite'),
  }
  const settings = loadSettings(env, null, {
    capabilities: [join(directory, 'records')],
    timeout_ms: 4_000,
  })
  const logger = pino({ level: 'silent' })
  const made = await createEngine({ settings, env, logger })
  let { state } = made
  const engine: RunningEngine = {
    ...made,
    get state() {
      return state
    },
  }
  const app = await buildApp({ engine, settings, ring: ringOf(settings), logger })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    /** Forgets failures first, so that the tool runs whatever happened before. */
    async call(id: string, input: object): Promise<Envelope> {
      state = createState(made.state.idempotency, made.clock.now())
      const response = await fetch(`${url}/v1/capabilities/${id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input),
      })
      return (await response.json()) as Envelope
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await made[Symbol.asyncDispose]()
    },
  }
}
