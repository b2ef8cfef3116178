import type { Standing } from './credential.ts'

/** `until 2030-01-02T03:04:05.000Z, with issues:write`. */
export function wordsOf({ expiresAt, scopes, note }: Standing): string {
  const end = expiresAt === null ? 'without an end' : `until ${new Date(expiresAt).toISOString()}`
  const rights = scopes === null ? '' : `, with ${scopes.join(', ') || 'no rights'}`
  return `${end}${rights}${note === null ? '' : `. ${note}`}`
}
