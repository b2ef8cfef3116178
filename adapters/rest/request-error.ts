import type { Failure } from '../../src/model/failure.ts'
import { createFailure } from '../../src/model/failure.ts'

/** A caller's value that cannot become part of a request. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: 'VALIDATION' | 'TOO_LARGE'
  readonly field: string

  /** `fault` goes on from the name of the field: "must have a value". */
  constructor(code: RequestError['code'], field: string, fault: string) {
    super(`${field} ${fault}`)
    this.code = code
    this.field = field
  }

  toFailure(): Failure {
    return createFailure(this.code, `${this.message}.`, {
      // Another route may carry what does not fit into a URL.
      fallback: this.code === 'TOO_LARGE',
      details: { fields: [{ path: this.field, message: this.message }] },
    })
  }
}
