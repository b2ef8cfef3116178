import { shorten } from '../../../src/lib/text.ts'
import type { FieldProblem } from '../../../src/model/card.ts'
import type { Headers } from '../../../src/model/headers.ts'

/** Headers that show an operator what to change, with their names in `error.details`. */
const DETAIL_HEADERS = {
  'x-github-sso': 'sso',
  'x-accepted-github-permissions': 'accepted_permissions',
  'x-accepted-oauth-scopes': 'accepted_scopes',
  'x-oauth-scopes': 'granted_scopes',
  'www-authenticate': 'challenge',
  'x-amzn-errortype': 'error_type',
} as const satisfies Record<string, string>

const MAX_HEADER = 500

/** Builds `error.details` for an upstream's answer, without empty parts. */
export function errorDetails(
  fields: readonly FieldProblem[],
  codes: readonly string[],
  headers: Headers,
): Record<string, unknown> {
  const details: Record<string, unknown> = {}
  if (fields.length > 0) details.fields = fields
  if (codes.length > 0) details.upstream_codes = [...new Set(codes)]
  for (const [header, name] of Object.entries(DETAIL_HEADERS)) {
    const value = headers[header]
    if (value) details[name] = shorten(value, MAX_HEADER)
  }
  return details
}
