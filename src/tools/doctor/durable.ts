import { dirname, resolve } from 'node:path'
import type { Settings } from '../../gateway/config.ts'
import { isPostgres } from '../../gateway/journal-place.ts'
import { assertJournalFits } from '../../gateway/open-journal.ts'
import { explainJournal } from '../../gateway/server.ts'
import { assertShareable } from '../../gateway/workers/divide.ts'
import { lockOf } from '../../journal/sqlite/lock.ts'
import { nearestDirectory, probeSqliteJournal } from '../../journal/sqlite/probe.ts'
import { inBrackets, lockerOf } from '../../lib/process-of.ts'
import { type Finding, ok, warn } from './finding.ts'
import { checkSpace } from './machine.ts'

/** Checks that the journal can be opened and written. Changes nothing in it. */
export async function checkJournal(settings: Settings): Promise<readonly Finding[]> {
  const { journal } = settings
  assertJournalFits(settings)
  assertShareable(settings)
  if (isPostgres(journal)) return await checkPostgres(journal)
  if (journal === ':memory:') {
    const fix = 'To keep it, set SIGNALBOX_JOURNAL to a file.'
    return [warn('journal', 'is in memory, and lost when the process ends', fix)]
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
      return ok('journal', `${file} can be created`)
    case 'usable':
      return ok('journal', `${file} is writable`)
    case 'in use': {
      const fix = 'A second gateway needs its own SIGNALBOX_JOURNAL.'
      const who = inBrackets(lockerOf(lockOf(file)))
      return warn('journal', `${file} is in use by a gateway${who}`, fix)
    }
  }
}

async function checkPostgres(url: string): Promise<readonly Finding[]> {
  const { probePostgresJournal } = await import('../../journal/postgres.ts')
  const { address, found, current, isCutOff } = await probePostgresJournal(url)
  if (found === current) return [ok('journal', `${address} is writable, with schema ${found}`)]
  const todo =
    found === 0
      ? `has no tables yet; the next start creates them (schema ${current})`
      : `has schema ${found}; the next start updates it to schema ${current}`
  if (!isCutOff) return [ok('journal', `${address} ${todo}`)]
  const fix = 'Plan some minutes for that start, in which no gateway can write to the journal.'
  return [warn('journal', `${address} ${todo}, which takes longer than this check waits`, fix)]
}

/** An unreachable server is a warning only: a gateway starts without it, and shares nothing until then. */
export async function checkState({ state, journal }: Settings): Promise<readonly Finding[]> {
  if (state === 'memory') return [ok('state', 'is in memory; no other gateway shares it')]
  const { probeSharedState } = await import('../../state/redis/probe.ts')
  const keysElsewhere = isPostgres(journal)
  const { trouble, warnings, address } = await probeSharedState(state, keysElsewhere)
  if (trouble !== null) {
    const fix = 'Check SIGNALBOX_STATE, and that Redis runs and this machine can reach it.'
    return [warn('state', trouble, fix)]
  }
  const found = warnings.map(message => warn('state', message, null))
  return found.length > 0 ? found : [ok('state', `${address} can be read and written`)]
}
