import { GatewayError } from '../../model/errors.ts'

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

/** Passes on the first error of each outage, and all errors of other kinds. */
export class Outage {
  readonly #onError: (error: unknown) => void
  #isKnown = false

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  readonly report = (error: unknown): void => {
    if (isAway(error)) {
      if (this.#isKnown) return
      this.#isKnown = true
    }
    this.#onError(error)
  }

  /** The database has answered. */
  readonly end = (): void => {
    this.#isKnown = false
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
