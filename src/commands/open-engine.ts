import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { type Settings } from '../gateway/config.ts'
import { createEngine } from '../gateway/create-engine.ts'
import { isPostgres } from '../gateway/open-journal.ts'
import { type CommonOptions, readSettings } from './options.ts'

/**
 * Opens the engine for one command, with the settings of `serve`. Journal and state are in memory, because
 * those from the settings may belong to a running gateway.
 * @param how.keepsAnswers keep the answers for later commands, so that an Idempotency-Key works.
 */
export async function openEngine(options: CommonOptions, { keepsAnswers = false } = {}) {
  const settings = readSettings(process.env, options)
  const journal = keepsAnswers ? lastingJournal(settings) : ':memory:'
  const logger = pino({ level: 'error' }, pino.destination(2))
  const state = keepsAnswers ? settings.state : 'memory'
  return await createEngine({ settings: { ...settings, journal, state }, env: process.env, logger })
}

/** Only one process may own a SQLite file, so commands use another one beside it; PostgreSQL is shared. */
function lastingJournal({ journal }: Settings): string {
  if (journal === ':memory:' || isPostgres(journal)) return journal
  return join(dirname(journal), 'calls.sqlite')
}
