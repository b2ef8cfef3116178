import { CardsError } from '../../cards/load.ts'
import { JournalError } from '../../journal/error.ts'
import { SettingsError } from '../../model/settings-error.ts'

/**
 * `fail`: the gateway would not start. `warn`: it would, and something would not work. `hint`: it lacks
 * nothing; developing it would be easier.
 */
export type Level = 'ok' | 'warn' | 'fail' | 'hint'

/** What one check has found. */
export interface Finding {
  readonly level: Level
  /** What was looked at, e.g. `journal` or `github rest`. */
  readonly part: string
  readonly message: string
  /** What to do; null when nothing has to be done, or the message says it. */
  readonly fix: string | null
}

export type Check = () => Promise<readonly Finding[]> | readonly Finding[]

export function ok(part: string, message: string): Finding {
  return { level: 'ok', part, message, fix: null }
}

export function warn(part: string, message: string, fix: string | null): Finding {
  return { level: 'warn', part, message, fix }
}

export function fail(part: string, message: string, fix: string | null): Finding {
  return { level: 'fail', part, message, fix }
}

/** Runs all checks at once; their findings come in the order of the checks. */
export async function findAll(checks: Readonly<Record<string, Check>>): Promise<Finding[]> {
  const found = await Promise.all(Object.entries(checks).map(([part, check]) => find(part, check)))
  return found.flat()
}

/** What would stop the gateway is told in its own words. */
async function find(part: string, check: Check): Promise<readonly Finding[]> {
  try {
    return await check()
  } catch (error) {
    const known =
      error instanceof SettingsError || error instanceof JournalError || error instanceof CardsError
    const { message } = error as Error
    return [fail(part, known ? message : `cannot be checked: ${message}`, null)]
  }
}
