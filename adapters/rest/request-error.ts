import { createFailure, type Failure } from '../../src/model/failure.ts'

/** A caller's value that cannot become a header. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly field: string

  /** @param fault continues a sentence that begins with the field: "must be a single value" */
  constructor(field: string, fault: string) {
    super(`${field} ${fault}`)
    this.field = field
  }

  toFailure(): Failure {
    return createFailure('VALIDATION', `${this.message}.`, {
      details: { fields: [{ path: this.field, message: this.message }] },
    })
  }
}
