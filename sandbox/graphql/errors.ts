import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { Refusal, type RefusalReason } from '../store/refusal.ts'

/** The machine-readable `type` of a GitHub error. */
export type ErrorType =
  | 'NOT_FOUND'
  | 'FORBIDDEN'
  | 'UNPROCESSABLE'
  | 'STALE_DATA'
  | 'RATE_LIMITED'
  | 'INVALID_CURSOR_ARGUMENTS'
  | 'MISSING_PAGINATION_BOUNDARIES'
  | 'EXCESSIVE_PAGINATION'
  | 'MAX_NODE_LIMIT_EXCEEDED'

const typeOfRefusal: Record<RefusalReason, ErrorType> = {
  not_found: 'NOT_FOUND',
  forbidden: 'FORBIDDEN',
  archived: 'FORBIDDEN',
  issues_disabled: 'UNPROCESSABLE',
  invalid: 'UNPROCESSABLE',
  unprocessable: 'UNPROCESSABLE',
  not_mergeable: 'UNPROCESSABLE',
  exists: 'UNPROCESSABLE',
  head_modified: 'UNPROCESSABLE',
}

/** An error for resolvers to throw. `formatError` moves its type out of the extensions. */
export function githubError(type: ErrorType, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } })
}

export function notFound(what: string): GraphQLError {
  return githubError('NOT_FOUND', `Could not resolve to ${what}.`)
}

export type GitHubError = GraphQLFormattedError & { type?: ErrorType }

/** Formats an error like GitHub: `type` stands outside `extensions`, and keys are in GitHub's order. */
export function formatError(error: GraphQLError): GitHubError {
  const { type: extensionType, ...extensions } = error.extensions
  const refusal = error.originalError instanceof Refusal ? error.originalError : undefined
  const type = refusal ? typeOfRefusal[refusal.reason] : (extensionType as ErrorType | undefined)
  return {
    ...(type && { type }),
    ...(error.path && { path: error.path }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
    ...(error.locations && { locations: error.locations }),
    message: error.message,
  }
}
