import { type FieldProblem, Refusal, type RefusalReason } from '../store/refusal.ts'

const DOCS = 'https://docs.github.com/rest'

const statusOfRefusal: Record<RefusalReason, number> = {
  not_found: 404,
  forbidden: 403,
  archived: 403,
  issues_disabled: 410,
  invalid: 422,
  unprocessable: 422,
  not_mergeable: 405,
  exists: 409,
  head_modified: 409,
}

/** An error body of GitHub's REST API. `status` is a string. */
export interface ErrorBody {
  message: string
  errors?: readonly unknown[]
  documentation_url: string
  status: string
}

export class RestError extends Error {
  override readonly name = 'RestError'
  readonly status: number
  readonly errors: readonly unknown[] | undefined
  readonly documentationUrl: string

  constructor(status: number, message: string, options: RestErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.status = status
    this.errors = options.errors
    this.documentationUrl = options.documentationUrl ?? DOCS
  }

  get body(): ErrorBody {
    return {
      message: this.message,
      ...(this.errors && { errors: this.errors }),
      documentation_url: this.documentationUrl,
      status: String(this.status),
    }
  }
}

interface RestErrorOptions {
  errors?: readonly unknown[]
  documentationUrl?: string
  cause?: unknown
}

export function notFound(): RestError {
  return new RestError(404, 'Not Found')
}

export function validationFailed(...problems: FieldProblem[]): RestError {
  return new RestError(422, 'Validation Failed', { errors: problems })
}

/** GitHub's message for a body that does not match the documented types. */
export function invalidRequest(problem: string): RestError {
  return new RestError(422, `Invalid request.\n\n${problem}`)
}

/** Converts any error. A bug in the sandbox becomes a 500 whose message starts with `sandbox:`. */
export function toRestError(error: unknown): RestError {
  if (error instanceof RestError) return error
  if (error instanceof Refusal) {
    const status = statusOfRefusal[error.reason]
    if (error.reason === 'invalid') return validationFailed(...error.problems)
    return new RestError(status, error.message)
  }
  const { statusCode = 500, message } = error as { statusCode?: number; message: string }
  const isExpected = statusCode < 500 || message.startsWith('sandbox: ')
  return new RestError(statusCode, isExpected ? message : `sandbox: ${message}`)
}
