import closeWithGrace from 'close-with-grace'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import type { Environment } from './cards/upstream.ts'
import type { Settings } from './config.ts'
import { createEngine } from './create-engine.ts'

export interface GatewayOptions {
  readonly settings: Settings
  readonly env: Environment
  /** Closed after the gateway, e.g. the sandbox of the demo. */
  readonly also?: () => Promise<void>
}

/** Running requests get this much longer than their own deadline could need. */
const GRACE_MS = 5_000

/** Listens, and answers the signals of the process: stops taking requests, lets running ones end, closes. */
export async function startGateway({ settings, env, also }: GatewayOptions): Promise<string> {
  const logger = pino({
    level: settings.log_level,
    redact: ['req.headers.authorization', 'req.headers["x-upstream-authorization"]'],
  })
  const engine = await createEngine({ settings, env, logger })
  const app = await buildApp({ engine, settings, logger })
  closeWithGrace({ delay: settings.timeout_ms + GRACE_MS }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'the gateway stops on an unexpected error')
    await app.close()
    await engine[Symbol.asyncDispose]()
    await also?.()
  })
  return await app.listen({
    host: settings.host,
    port: settings.port,
    listenTextResolver: address => `listening on ${address}`,
  })
}
