import type { Credential, Schemes } from '../../../src/model/credential.ts'

/** `${credential}`, `${credential.key}`, or a half of a basic one: `${credential.login.username}`. */
const PLACEHOLDER = /\$\{credential(?:\.([A-Za-z_][\w-]*))?(?:\.(username|password))?\}/g

/** Fills in the secrets of a credential; null when it lacks one of them. */
export type CredentialTemplate = (credential: Credential | null) => string | null

/** Compiles a text of `upstream.yaml`; null when it asks for no secret. */
export function compileTemplate(text: string): CredentialTemplate | null {
  // The expression keeps its place between searches, and `search` does not use it.
  if (text.search(PLACEHOLDER) === -1) return null
  return credential => {
    let isWhole = true
    const filled = text.replace(PLACEHOLDER, (_, scheme?: string, half?: Half) => {
      const value = credential === null ? null : valueOf(credential, scheme, half)
      isWhole &&= value !== null && value !== ''
      return value ?? ''
    })
    return isWhole ? filled : null
  }
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

/** The fault of a text that names a scheme which does not exist, or no half of a basic one; null when it has none. */
export function templateFault(text: string, schemes: Schemes): string | null {
  for (const [written, scheme, half] of text.matchAll(PLACEHOLDER)) {
    if (scheme === undefined) continue
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
