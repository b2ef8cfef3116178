import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { loadSettings, type Settings } from '../gateway/config.ts'
import { createEngine } from '../gateway/create-engine.ts'
import { isPostgres } from '../gateway/open-journal.ts'
import { type CommonOptions, flagsOf } from './options.ts'

/**
 * The engine for one command: the same settings as `serve`, but for the journal, which leaves no file
 * behind: the one that is set may belong to a running gateway. What gateways share is none of its business.
 * @param how.remembers whether what is answered has to be known to later commands.
 */
export async function openEngine(options: CommonOptions, { remembers = false } = {}) {
  const settings = loadSettings(process.env, options.config ?? null, flagsOf(options))
  const journal = remembers ? rememberedIn(settings) : ':memory:'
  const logger = pino({ level: 'error' }, pino.destination(2))
  const state = remembers ? settings.state : 'memory'
  return await createEngine({ settings: { ...settings, journal, state }, env: process.env, logger })
}

/** A SQLite file is one gateway's own, so commands have one beside it; a PostgreSQL database takes all. */
function rememberedIn({ journal }: Settings): string {
  if (journal === ':memory:' || isPostgres(journal)) return journal
  return join(dirname(journal), 'calls.sqlite')
}
