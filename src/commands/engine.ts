import { pino } from 'pino'
import { loadSettings } from '../config.ts'
import { createEngine } from '../create-engine.ts'
import { type CommonOptions, flagsOf } from './program.ts'

/** The engine for one command: the same settings as `serve`, and a journal that leaves no file behind. */
export async function openEngine(options: CommonOptions) {
  const env = { SIGNALBOX_JOURNAL: ':memory:', ...process.env }
  const settings = loadSettings(env, options.config ?? null, flagsOf(options))
  const logger = pino({ level: 'error' }, pino.destination(2))
  return await createEngine({ settings, env, logger })
}
