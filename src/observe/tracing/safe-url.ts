import { isSecretName, redactText } from '../../lib/redact.ts'
import type { SentRequest } from '../../model/adapter.ts'

const REDACTED = 'REDACTED'
/** Page numbers, sizes and switches. Anything else may be what a caller searches for, or a secret. */
const PLAIN_VALUE = /^(?:\d{1,6}|true|false)$/

/** The address of a request without user, credentials, fragment and texts in its query; null if it cannot be read. */
export function safeUrl({ origin, path }: SentRequest, secrets: readonly string[]): URL | null {
  const url = URL.parse(redactText(path, secrets), origin)
  if (url === null) return null
  url.username = ''
  url.password = ''
  url.hash = ''
  url.search = safeQuery(url.search)
  return url
}

function safeQuery(search: string): string {
  const parts = search.slice(1).split('&').filter(Boolean)
  return parts.map(safePart).join('&')
}

function safePart(part: string): string {
  const [name = '', ...rest] = part.split('=')
  const value = rest.join('=')
  const isPlain = value === '' || (PLAIN_VALUE.test(value) && !isSecretName(name))
  return isPlain ? part : `${name}=${REDACTED}`
}
