import { CardsError } from '../cards/load.ts'
import { SettingsError } from '../config.ts'

/** Mistakes of the operator are told in words; only a bug shows its stack. */
export function reportAndExit(error: unknown): never {
  const expected =
    error instanceof CardsError || error instanceof SettingsError || isAddressError(error)
  process.stderr.write(`signalbox: ${expected ? (error as Error).message : describeBug(error)}\n`)
  process.exit(1)
}

function isAddressError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL'
}

function describeBug(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
