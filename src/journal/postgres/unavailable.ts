import { GatewayError } from '../../model/errors.ts'
import type { JournalOptions } from '../options.ts'

/** Classes of SQLSTATE by which the server says that it cannot serve now: connections, resources, shutdown, its system. */
const PASSING: ReadonlySet<string> = new Set(['08', '53', '57', '58'])
const RETRY_MS = 1000

/** Reports a database that is away as such. Returns any other error, such as a faulty statement, unchanged. */
export function unavailable(error: unknown): unknown {
  if (!isAway(error)) return error
  return new GatewayError('SERVER', 'The journal is unavailable. Try again.', {
    status: 503,
    retryAfterMs: RETRY_MS,
    cause: error,
  })
}

type Reports = Pick<JournalOptions, 'onError' | 'onAway' | 'onBack'>

/** Passes on the first error of each outage, whoever meets it, and all errors of other kinds. */
export class DatabaseOutage {
  readonly #reports: Reports
  #isKnown = false
  /** Whether records wait: then the outage ends when they are written. */
  #isWaiting = false

  constructor(reports: Reports) {
    this.#reports = reports
  }

  /** For a recorder. */
  reports() {
    return { onError: this.report, onAway: this.wait, onBack: this.written }
  }

  readonly report = (error: unknown): void => {
    if (isAway(error)) this.#begin(error)
    else this.#reports.onError(error)
  }

  /** Records cannot be written. */
  readonly wait = (error: unknown): void => {
    this.#isWaiting = true
    this.#begin(error)
  }

  /** The database has answered. */
  readonly end = (): void => {
    if (!this.#isWaiting) this.#back()
  }

  /** Everything that waited is written. */
  readonly written = (): void => {
    this.#isWaiting = false
    this.#back()
  }

  #begin(error: unknown): void {
    if (this.#isKnown) return
    this.#isKnown = true
    const { onError, onAway = onError } = this.#reports
    onAway(error)
  }

  #back(): void {
    if (!this.#isKnown) return
    this.#isKnown = false
    this.#reports.onBack?.()
  }
}

/** An error of the server has a SQLSTATE. Errors of the connection have another code or none. */
function isAway(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return false
  const { code } = error as { readonly code?: unknown }
  const isState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !isErrno(code)
  return !isState || PASSING.has(code.slice(0, 2))
}

/** `EPIPE` has five letters too. */
function isErrno(code: string): boolean {
  return /^E[A-Z]+$/.test(code)
}
