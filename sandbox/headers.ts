import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Exchange } from './exchange.ts'
import { rateLimitHeaders } from './rate-limits.ts'

/** The headers of every answer from GitHub. */
export function githubHeaders({ row, principal, quota }: Exchange): Record<string, string> {
  return {
    server: 'github.com',
    'x-github-request-id': row.request_id,
    'x-github-media-type': 'github.v3; format=json',
    'x-github-api-version-selected': '2022-11-28',
    'x-content-type-options': 'nosniff',
    // The token of an installation has permissions, and no scopes.
    ...(principal?.installation === null && {
      'x-oauth-scopes': principal.scopes.join(', '),
      'x-accepted-oauth-scopes': row.route === 'rest' ? 'repo' : '',
      ...(principal.expiresAt !== null && {
        'github-authentication-token-expiration': timeText(principal.expiresAt),
      }),
    }),
    ...(quota && rateLimitHeaders(quota)),
  }
}

/** A time as in `2030-01-02 03:04:05 UTC`. */
function timeText(time: number): string {
  return new Date(time)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
}

/**
 * Adds an ETag to a successful read, and answers 304, without charge, when the caller already has
 * this version. As on GitHub, the tag depends on the caller: one user's tag never matches another's.
 */
export function revalidate(
  { row, principal, quota }: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string,
): string {
  if (row.route !== 'rest' || row.method !== 'GET' || reply.statusCode !== 200) return payload
  const hash = createHash('sha256').update(`${principal?.token}\n${payload}`).digest('hex')
  const etag = `W/"${hash}"`
  reply.headers({ etag, 'cache-control': 'private, max-age=60, s-maxage=60' })
  if (!isKnown(request.headers['if-none-match'], etag)) return payload

  if (quota && row.path !== '/rate_limit') quota.used -= 1
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  return ''
}

/** Weak comparison: `W/` is ignored. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return (ifNoneMatch ?? '').split(',').some(tag => bare(tag) === bare(etag))
}
