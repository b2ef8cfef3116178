import { createHash } from 'node:crypto'

/** A secret for an upstream, and its identity. */
export interface Credential {
  readonly token: string
  /**
   * Safe to store, to show and to key state by. The gateway's own credential has a name that outlives its token, so
   * that a renewed token changes nothing; one that a caller sends has twelve hex digits of a hash.
   */
  readonly id: string
  readonly source: 'environment' | 'passthrough'
}

/** A credential that a caller sends: each token is one of its own. */
export function passthroughCredential(token: string): Credential {
  const id = createHash('sha256').update(token).digest('hex').slice(0, 12)
  return { token, id, source: 'passthrough' }
}

/** The gateway's own credential for an upstream, whatever its token is at present. */
export function ownCredential(upstream: string, token: string): Credential {
  return { token, id: `${upstream}:default`, source: 'environment' }
}
