import { REDACTED, spellingsOf } from './redact.ts'

/** Shorter texts, words and numbers could just as well be data. */
const MIN_LENGTH = 8
const MAY_BE_DATA = /^(?:[a-z]{1,15}|\d{1,19})$/i

const known = new WeakMap<readonly string[], readonly string[]>()

/** The secrets to hide in data, in all spellings. A credential keeps its list, so each list is looked at once. */
function hiddenOf(secrets: readonly string[]): readonly string[] {
  const hidden =
    known.get(secrets) ??
    spellingsOf(secrets.filter(secret => secret.length >= MIN_LENGTH && !MAY_BE_DATA.test(secret)))
  known.set(secrets, hidden)
  return hidden
}

/** Replaces the secrets that a service echoes in the bytes of its answer. Returns the same bytes if there are none. */
export function hideInBytes(bytes: Buffer, secrets: readonly string[]): Buffer {
  const found = hiddenOf(secrets).filter(secret => bytes.includes(secret))
  if (found.length === 0) return bytes
  // Latin-1 keeps each byte.
  const latin1 = (text: string) => Buffer.from(text).toString('latin1')
  const text = found.reduce(
    (clean, secret) => clean.replaceAll(latin1(secret), REDACTED),
    bytes.toString('latin1'),
  )
  return Buffer.from(text, 'latin1')
}

/** Replaces the secrets in the values of headers, such as a `link` with the key of the request. */
export function hideInHeaders<T extends Readonly<Record<string, string>>>(
  headers: T,
  secrets: readonly string[],
): T {
  const hidden = hiddenOf(secrets)
  const isClean = Object.values(headers).every(
    value => !hidden.some(secret => value.includes(secret)),
  )
  if (isClean) return headers
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    hidden.reduce((clean, secret) => clean.replaceAll(secret, REDACTED), value),
  ])
  return Object.fromEntries(entries) as T
}
