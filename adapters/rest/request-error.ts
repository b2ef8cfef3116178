import type { ErrorCode } from '../../src/model/errors.ts'
import { createFailure, type Failure } from '../../src/model/failure.ts'

/** A value of the caller's that cannot become part of a request. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: Extract<ErrorCode, 'VALIDATION' | 'TOO_LARGE'>
  readonly field: string

  /** @param fault continues a sentence that begins with the field: "must have a value" */
  constructor(code: RequestError['code'], field: string, fault: string) {
    super(`${field} ${fault}`)
    this.code = code
    this.field = field
  }

  toFailure(): Failure {
    return createFailure(this.code, `${this.message}.`, {
      // A value too long for a URL may fit into another route's request body.
      fallback: this.code === 'TOO_LARGE',
      details: { fields: [{ path: this.field, message: this.message }] },
    })
  }
}

/** The error for a text with half a surrogate pair, which cannot be percent-encoded. */
export function notWellFormed(field: string): RequestError {
  return new RequestError('VALIDATION', field, 'is not well-formed Unicode')
}
