export type RefusalReason =
  | 'not_found'
  | 'forbidden'
  | 'archived'
  | 'issues_disabled'
  | 'invalid'
  /** The request as a whole is refused, not one field. */
  | 'unprocessable'
  | 'not_mergeable'
  /** The name is taken. */
  | 'exists'
  | 'head_modified'

export interface FieldProblem {
  resource: string
  field?: string
  code: 'missing' | 'missing_field' | 'invalid' | 'already_exists' | 'custom'
  value?: unknown
  message?: string
}

/** A rule of GitHub refuses a request. Each API formats it: see rest/errors.ts, graphql/errors.ts. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: RefusalReason
  readonly problems: readonly FieldProblem[]

  constructor(reason: RefusalReason, message: string, problems: readonly FieldProblem[] = []) {
    super(message)
    this.reason = reason
    this.problems = problems
  }
}

export function invalid(message: string, problem: FieldProblem): Refusal {
  return new Refusal('invalid', message, [problem])
}

export function requireBody(resource: string, body: string): void {
  if (body.trim() !== '') return
  throw invalid("Body can't be blank", { resource, field: 'body', code: 'missing_field' })
}
