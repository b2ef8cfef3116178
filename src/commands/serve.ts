import { startGateway } from '../gateway/server.ts'
import { settingsFileOf } from '../gateway/variables.ts'
import { type CommonOptions, readSettings } from './options.ts'

/** Runs the gateway until a signal stops it. */
export async function serve(options: CommonOptions): Promise<void> {
  const { env } = process
  const file = settingsFileOf(env, options.config)
  const read = () => readSettings(env, options)
  await startGateway({ settings: read(), env, file, read })
}
