import type { Headers } from './answer.ts'

interface Redirecting {
  readonly status: number
  readonly headers: Headers
}

interface Asked {
  readonly method: string
  readonly path: string
}

/**
 * Where to repeat a request, or null when the answer is to be taken as it is. Only within the origin,
 * and only where the method stays what it was: a write that is turned into a GET would look like success.
 */
export function redirectTarget(answer: Redirecting, asked: Asked, origin: string): string | null {
  if (answer.status < 301 || answer.status > 308) return null
  const location = resolveLocation(answer, asked, origin)
  if (!location || location.origin !== origin || !keepsMethod(answer.status, asked.method))
    return null
  return location.pathname + location.search
}

/**
 * Where another origin holds what was asked for, such as a storage that a signed URL opens; null when
 * the answer points nowhere else. Only for reads, and never from an encrypted origin to an open one.
 */
export function elsewhere(answer: Redirecting, asked: Asked, origin: string): URL | null {
  if (answer.status < 301 || answer.status > 308 || answer.status === 304) return null
  const location = resolveLocation(answer, asked, origin)
  const isRead = asked.method === 'GET' || asked.method === 'HEAD'
  if (!location || !isRead || location.origin === origin || location.username) return null
  const isSafe =
    location.protocol === 'https:' || (location.protocol === 'http:' && origin.startsWith('http:'))
  return isSafe ? location : null
}

/** Where the answer points, or null when it does not say. */
export function resolveLocation(
  { headers }: Pick<Redirecting, 'headers'>,
  { path }: Pick<Asked, 'path'>,
  origin: string,
): URL | null {
  const { location } = headers
  if (!location) return null
  return URL.parse(location, origin + path)
}

function keepsMethod(status: number, method: string): boolean {
  const reads = method === 'GET' || method === 'HEAD'
  switch (status) {
    case 307:
    case 308:
      return true
    case 301:
    case 302:
    case 303:
      return reads
    default:
      return false
  }
}
