import type { Headers } from '../../src/model/headers.ts'
import type { Grant, Reply } from '../../src/model/reply.ts'
import type { RestUpstreamSection } from './schema.ts'

/** Reads the rights and the end of a credential from the headers of an answer. */
export function readGrant(
  headers: Headers,
  { scopes, expires }: Omit<NonNullable<RestUpstreamSection['probe']>, 'path'>,
): Grant | null {
  const rights = scopes === undefined ? undefined : headers[scopes.toLowerCase()]
  const end = expires === undefined ? undefined : headers[expires.toLowerCase()]
  if (rights === undefined && end === undefined) return null
  return {
    scopes:
      rights
        ?.split(',')
        .map(text => text.trim())
        .filter(Boolean) ?? null,
    expiresAt: end === undefined ? null : timeIn(end),
  }
}

/** RFC 3339, or GitHub's `2030-01-02 03:04:05 UTC`. */
function timeIn(text: string): number | null {
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time
}

/** Adds to a reply what its answer reports about the credential. */
export function withGrant(
  reply: Reply,
  headers: Headers,
  { probe }: Pick<RestUpstreamSection, 'probe'>,
): Reply {
  const grant = probe === undefined ? null : readGrant(headers, probe)
  return grant === null ? reply : { ...reply, exchange: { ...reply.exchange, grant } }
}
