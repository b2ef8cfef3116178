import { CardsError } from '../cards/load.ts'
import { JournalError } from '../journal/error.ts'
import { GatewayError } from '../model/errors.ts'
import { SettingsError } from '../model/settings-error.ts'
import { PublishedApiError } from '../tools/contract/published-api-error.ts'
import { ImportError } from '../tools/import/errors.ts'
import { printError } from './output.ts'

/** Prints an error and exits with 1. An operator's mistake prints its message; a bug prints its stack. */
export function reportAndExit(error: unknown): never {
  printError(`signalbox: ${describeError(error)}`)
  process.exit(1)
}

export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const expected =
    error instanceof GatewayError ||
    error instanceof CardsError ||
    error instanceof SettingsError ||
    error instanceof JournalError ||
    error instanceof ImportError ||
    error instanceof PublishedApiError
  return expected ? error.message : (error.stack ?? error.message)
}
