import { dirname, resolve } from 'node:path'
import type { Settings } from '../../gateway/config.ts'
import { assertJournalFits, isPostgres } from '../../gateway/open-journal.ts'
import { explainJournal } from '../../gateway/server.ts'
import { nearestDirectory, probeSqliteJournal } from '../../journal/sqlite/probe.ts'
import { type Finding, ok, warn } from './finding.ts'
import { checkSpace } from './machine.ts'

/** Whether the journal can be opened and written; nothing in it is changed. */
export async function checkJournal(settings: Settings): Promise<readonly Finding[]> {
  const { journal } = settings
  assertJournalFits(settings)
  if (isPostgres(journal)) return await checkPostgres(journal)
  if (journal === ':memory:') {
    const fix = 'For one that stays, set SIGNALBOX_JOURNAL to a file.'
    return [warn('journal', 'is in memory, and gone with the process', fix)]
  }
  try {
    return [describeFile(journal), ...checkSpace(nearestDirectory(dirname(resolve(journal))))]
  } catch (error) {
    throw explainJournal(error as NodeJS.ErrnoException, journal)
  }
}

function describeFile(file: string): Finding {
  const state = probeSqliteJournal(file)
  switch (state) {
    case 'absent':
      return ok('journal', `${file} can be made`)
    case 'usable':
      return ok('journal', `${file} can be written`)
    case 'in use': {
      const fix = 'Another gateway needs a SIGNALBOX_JOURNAL of its own.'
      return warn('journal', `${file} is in use by a gateway`, fix)
    }
  }
}

async function checkPostgres(url: string): Promise<readonly Finding[]> {
  const { probePostgresJournal } = await import('../../journal/postgres.ts')
  const { address, found, current } = await probePostgresJournal(url)
  if (found === current) return [ok('journal', `${address} can be written, schema ${found}`)]
  const todo = found === 0 ? 'has no tables yet' : `has schema ${found}`
  return [ok('journal', `${address} ${todo}; a start brings it to schema ${current}`)]
}

/** A gateway starts without a server that is away, and shares nothing until it is there. */
export async function checkState({ state, journal }: Settings): Promise<readonly Finding[]> {
  if (state === 'memory') return [ok('state', 'is in memory, of this gateway alone')]
  const { probeSharedState } = await import('../../state/redis/probe.ts')
  const keysElsewhere = isPostgres(journal)
  const { trouble, warnings, address } = await probeSharedState(state, keysElsewhere)
  if (trouble !== null) {
    const fix = 'Check SIGNALBOX_STATE, and that Redis runs and can be reached from here.'
    return [warn('state', trouble, fix)]
  }
  const found = warnings.map(message => warn('state', message, null))
  return found.length > 0 ? found : [ok('state', `${address} can be read and written`)]
}
