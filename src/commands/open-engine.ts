import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { type Settings } from '../gateway/config.ts'
import { createEngine } from '../gateway/create-engine.ts'
import { isPostgres } from '../gateway/journal-place.ts'
import { type CommonOptions, readSettings } from './options.ts'

interface OpenOptions {
  readonly calls?: boolean
  readonly keepsAnswers?: boolean
  readonly approvals?: string | undefined
}

/**
 * Opens the engine for one command, with the settings of `serve`. The journal is in memory, because that of the settings
 * may belong to a running gateway.
 * @param how.calls share the state of the settings with the gateways: what their answers from memory are, what a change
 * drops of them, limits of keys, quotas and circuits. Otherwise the state is in memory, because nothing is sent.
 * @param how.keepsAnswers keep the answers for later commands, so that an Idempotency-Key works.
 * @param how.approvals the journal with the approvals of the calls; default: none lasts
 */
export async function openEngine(
  options: CommonOptions,
  { calls = false, keepsAnswers = false, approvals }: OpenOptions = {},
) {
  const settings = readSettings(process.env, options)
  const journal = keepsAnswers ? lastingJournal(settings) : ':memory:'
  const logger = pino({ level: 'error' }, pino.destination(2))
  const state = calls ? settings.state : 'memory'
  const env = process.env
  return await createEngine({ settings: { ...settings, journal, state }, env, logger, approvals })
}

/** Only one process may own a SQLite file, so commands use another one beside it; PostgreSQL is shared. */
function lastingJournal({ journal }: Settings): string {
  if (journal === ':memory:' || isPostgres(journal)) return journal
  return join(dirname(journal), 'calls.sqlite')
}
