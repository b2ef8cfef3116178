export type RefusalReason =
  | 'not_found'
  | 'forbidden'
  | 'archived'
  | 'issues_disabled'
  | 'invalid'
  /** Refused as a whole, and not for a field. */
  | 'unprocessable'
  | 'not_mergeable'
  /** There is one of that name. */
  | 'exists'
  | 'head_modified'

export interface FieldProblem {
  resource: string
  field?: string
  code: 'missing' | 'missing_field' | 'invalid' | 'already_exists' | 'custom'
  value?: unknown
  message?: string
}

/** A rule of GitHub said no. Each API words it in its own way: see rest/errors.ts, graphql/errors.ts. */
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
