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
