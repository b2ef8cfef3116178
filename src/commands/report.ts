import { CardsError } from '../cards/load.ts'
import { JournalError } from '../journal/error.ts'
import { SettingsError } from '../model/settings-error.ts'
import { NotPublishedError } from '../tools/contract/not-published.ts'
import { ImportError } from '../tools/import/offer.ts'

/** Mistakes of the operator are told in words, with the fix; only a bug shows its stack. */
export function reportAndExit(error: unknown): never {
  process.stderr.write(`signalbox: ${describe(error)}\n`)
  process.exit(1)
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const expected =
    error instanceof CardsError ||
    error instanceof SettingsError ||
    error instanceof JournalError ||
    error instanceof ImportError ||
    error instanceof NotPublishedError
  return expected ? error.message : (error.stack ?? error.message)
}
