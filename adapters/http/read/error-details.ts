import type { FieldProblem } from '../../../src/model/card.ts'
import type { Headers } from '../wire/answer.ts'

/** Headers that tell an operator what to change, and the name under which they are handed on. */
const HINTS = {
  'x-github-sso': 'sso',
  'x-accepted-github-permissions': 'accepted_permissions',
  'x-accepted-oauth-scopes': 'accepted_scopes',
  'x-oauth-scopes': 'granted_scopes',
  'www-authenticate': 'challenge',
  'x-amzn-errortype': 'error_type',
} as const satisfies Record<string, string>

/** What `error.details` says about an upstream's answer. Empty parts are left out. */
export function errorDetails(
  fields: readonly FieldProblem[],
  codes: readonly string[],
  headers: Headers,
): Record<string, unknown> {
  const details: Record<string, unknown> = {}
  if (fields.length > 0) details.fields = fields
  if (codes.length > 0) details.upstream_codes = [...new Set(codes)]
  for (const [header, name] of Object.entries(HINTS)) {
    if (headers[header]) details[name] = headers[header]
  }
  return details
}
