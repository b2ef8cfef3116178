import { CardsError } from '../../cards/load.ts'
import { JournalError } from '../../journal/error.ts'
import { SettingsError } from '../../model/settings-error.ts'

/**
 * `fail`: the gateway would not start. `warn`: it would start, but something would not work. `hint`: the
 * gateway would work fully; only its tests lack something.
 */
export type Level = 'ok' | 'warn' | 'fail' | 'hint'

/** One result of a check. */
export interface Finding {
  readonly level: Level
  /** The part checked, e.g. `journal` or `github rest`. */
  readonly part: string
  readonly message: string
  /** The fix; null when there is none to make, or the message already says it. */
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

/** Runs all checks at once. Returns their findings in the order of the checks. */
export async function findAll(checks: Readonly<Record<string, Check>>): Promise<Finding[]> {
  const found = await Promise.all(Object.entries(checks).map(([part, check]) => find(part, check)))
  return found.flat()
}

/** Turns an error into a finding. An error that the gateway itself would report keeps its message. */
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
