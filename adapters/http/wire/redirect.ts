import type { Headers } from '../../../src/model/headers.ts'

interface RedirectAnswer {
  readonly status: number
  readonly headers: Headers
}

interface SentRequest {
  readonly method: string
  readonly path: string
}

export function isRedirect(status: number): boolean {
  return status >= 301 && status <= 308
}

/**
 * The path at which to repeat a request, or null to take the answer as it is. Stays within the origin
 * and keeps the method: a write that became a GET would look like a success.
 */
export function redirectTarget(
  answer: RedirectAnswer,
  sent: SentRequest,
  origin: string,
): string | null {
  if (!isRedirect(answer.status)) return null
  const location = resolveLocation(answer, sent, origin)
  if (!location || location.origin !== origin || !keepsMethod(answer.status, sent.method)) {
    return null
  }
  if (leadsToLogin(answer, sent, location)) return null
  return location.pathname + location.search
}

/**
 * The URL at another origin that holds the content, such as a signed storage URL; null when the answer
 * points to none. Reads only, and never from HTTPS to plain HTTP.
 */
export function foreignTarget(
  answer: RedirectAnswer,
  sent: SentRequest,
  origin: string,
): URL | null {
  if (!isRedirect(answer.status) || answer.status === 304) return null
  const location = isRead(sent.method) ? resolveLocation(answer, sent, origin) : null
  if (!location || location.origin === origin || location.username) return null
  if (leadsToLogin(answer, sent, location)) return null
  return keepsEncryption(origin, location) ? location : null
}

/** The URL in the `Location` header, or null without a valid one. */
export function resolveLocation(
  { headers }: Pick<RedirectAnswer, 'headers'>,
  { path }: Pick<SentRequest, 'path'>,
  origin: string,
): URL | null {
  const { location } = headers
  if (!location) return null
  return URL.parse(location, origin + path)
}

const TEMPORARY: readonly number[] = [302, 303, 307]

const LOGIN =
  /(?:^|[/_.-])(?:log[-_]?[io]n|sign[-_]?[io]n|sso|saml2?|adfs|cas|oauth2?|openid-connect|authorize|sessions?\/new)(?:[/_.?-]|$)/i

/** Whether a redirect leads to a page where people log in. A word of the path that was asked for is no evidence. */
export function leadsToLogin(
  { status }: Pick<RedirectAnswer, 'status'>,
  { path }: Pick<SentRequest, 'path'>,
  { pathname }: URL,
): boolean {
  return (
    TEMPORARY.includes(status) && LOGIN.test(pathname) && !LOGIN.test(path.split('?', 1)[0] ?? '')
  )
}

/** Whether going from an origin to a URL does not give up encryption. */
export function keepsEncryption(origin: string, { protocol }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && origin.startsWith('http:'))
}

/** RFC 9110 §15.4: a 303 turns a write into a GET, and a 301 or 302 may. */
function keepsMethod(status: number, method: string): boolean {
  switch (status) {
    case 307:
    case 308:
      return true
    case 301:
    case 302:
    case 303:
      return isRead(method)
    default:
      return false
  }
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
