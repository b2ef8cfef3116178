import type { Credential, Schemes } from '../../../src/model/credential.ts'

/** `${credential}`, `${credential.key}`, or a half of a basic one: `${credential.login.username}`. */
const PLACEHOLDER = /\$\{credential(?:\.([A-Za-z_][\w-]*))?(?:\.(username|password))?\}/g

/** Fills in the secrets of a credential; null when it lacks one of them. */
export type CredentialTemplate = (credential: Credential | null) => string | null

/** Compiles a text of `upstream.yaml`; null when it asks for no secret. */
export function compileTemplate(text: string): CredentialTemplate | null {
  // The expression keeps its place between searches, and `search` does not use it.
  if (text.search(PLACEHOLDER) === -1) return null
  const parts = partsOf(text)
  return credential => {
    if (credential === null) return null
    let filled = ''
    for (const part of parts) {
      const value = typeof part === 'string' ? part : valueOf(credential, part.scheme, part.half)
      if (value === null || (value === '' && typeof part !== 'string')) return null
      filled += value
    }
    return filled
  }
}

interface Placeholder {
  readonly scheme: string | undefined
  readonly half: Half | undefined
}

/** The placeholders of a text, and the texts around them. */
function partsOf(text: string): readonly (string | Placeholder)[] {
  const parts: (string | Placeholder)[] = []
  let end = 0
  for (const match of text.matchAll(PLACEHOLDER)) {
    const [whole, scheme, half] = match
    parts.push(text.slice(end, match.index), { scheme, half: half as Half | undefined })
    end = match.index + whole.length
  }
  return [...parts, text.slice(end)]
}

type Half = 'username' | 'password'

function valueOf(
  { values, token }: Credential,
  scheme: string | undefined,
  half: Half | undefined,
): string | null {
  const value = scheme === undefined ? token : values[scheme]
  if (typeof value === 'string') return half === undefined ? value : null
  return (half && value?.[half]) ?? null
}

/**
 * The fault of a text that asks for a secret which no call has, so that it would always be left out: of a scheme that does
 * not exist, of none at all, or of both halves of a basic one. Null when it has none.
 */
export function templateFault(text: string, schemes: Schemes): string | null {
  for (const [written, scheme, half] of text.matchAll(PLACEHOLDER)) {
    if (scheme === undefined) {
      if (Object.keys(schemes).length > 0) continue
      return `has ${written}, but the file declares no credential`
    }
    if (!Object.hasOwn(schemes, scheme)) return `has ${written}, which is no scheme`
    const isBasic = schemes[scheme]?.type === 'basic'
    if (isBasic !== (half !== undefined)) {
      return isBasic
        ? `has ${written}, which has two secrets: .username and .password`
        : `has ${written}, but ${scheme} has only one secret`
    }
  }
  return null
}
