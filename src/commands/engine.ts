import { pino } from 'pino'
import { loadSettings } from '../config.ts'
import { createEngine } from '../create-engine.ts'
import { type CommonOptions, flagsOf } from './program.ts'

/**
 * The engine for one command: the same settings as `serve`, but for the journal, which leaves no file
 * behind: the one that is set may belong to a running gateway.
 */
export async function openEngine(options: CommonOptions) {
  const env = { ...process.env, SIGNALBOX_JOURNAL: ':memory:' }
  const settings = loadSettings(env, options.config ?? null, flagsOf(options))
  const logger = pino({ level: 'error' }, pino.destination(2))
  return await createEngine({ settings, env, logger })
}
