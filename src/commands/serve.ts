import { loadSettings } from '../gateway/config.ts'
import { startGateway } from '../gateway/server.ts'
import { type CommonOptions, flagsOf } from './options.ts'

/** Runs the gateway until a signal stops it. */
export async function serve(options: CommonOptions): Promise<void> {
  const settings = loadSettings(process.env, options.config ?? null, flagsOf(options))
  await startGateway({ settings, env: process.env })
}
