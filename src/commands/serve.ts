import cluster from 'node:cluster'
import type { Settings } from '../gateway/config.ts'
import { startGateway } from '../gateway/server.ts'
import { settingsFileOf } from '../gateway/variables.ts'
import { workersOf } from '../gateway/workers/divide.ts'
import { type CommonOptions, readSettings } from './options.ts'

/** Runs the gateway until a signal stops it: in this process, or in several workers. */
export async function serve(options: CommonOptions): Promise<void> {
  const { env } = process
  const file = settingsFileOf(env, options.config)
  const read = () => readSettings(env, options)
  if (cluster.isWorker) {
    const { joinWorkers } = await import('../gateway/workers/link.ts')
    const { link, settings } = await joinWorkers<Settings>()
    await startGateway({ settings, env, file, read, link })
    return
  }
  const settings = read()
  if (workersOf(settings) > 1) {
    const { startWorkers } = await import('../gateway/workers/primary.ts')
    await startWorkers({ settings, read })
    return
  }
  await startGateway({ settings, env, file, read })
}
