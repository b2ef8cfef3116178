import { createHash } from 'node:crypto'

/** A secret for an upstream, and a name for it that is safe to store and to key state by. */
export interface Credential {
  readonly token: string
  /** Twelve hex digits of a hash: equal for equal tokens, useless for finding the token. */
  readonly id: string
  readonly source: 'environment' | 'passthrough'
}

export function createCredential(token: string, source: Credential['source']): Credential {
  const id = createHash('sha256').update(token).digest('hex').slice(0, 12)
  return { token, id, source }
}

/** One for each upstream. */
const own = new Map<string, Credential>()

/** The gateway's own credential: hashed once, since every request presents it. */
export function ownCredential(token: string): Credential {
  let credential = own.get(token)
  if (!credential) {
    credential = createCredential(token, 'environment')
    own.set(token, credential)
  }
  return credential
}
