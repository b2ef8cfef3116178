import type { Journal, JournalReader } from './journal.ts'
import type { Recorder } from './recorder.ts'

/** The parts of a journal, for any database. */
interface Parts {
  readonly recorder: Recorder
  readonly reader: JournalReader
  /** Ends the parts in order; called once. */
  readonly close: () => Promise<void>
}

/** Puts the writing and the reading half of a journal together. */
export function assembleJournal({ recorder, reader, close }: Parts): Journal {
  let closing: Promise<void> | null = null
  return {
    ...recorder,
    ...reader,
    stats: async filter => {
      await recorder.flushStats()
      return await reader.stats(filter)
    },
    close: () => (closing ??= close()),
  }
}
