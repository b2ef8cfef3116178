import type { Decisions } from '../engine/engine.ts'
import type { Signal } from '../lib/signal.ts'
import { type Credential, CredentialError, type Identity, type Needs } from '../model/credential.ts'

const noted = new WeakMap<Identity, Identity>()

/** The same identity, which reports new secrets and failures of its sources. Those that callers send are not recorded. */
export function notedIdentity(identity: Identity | null, decisions: Decisions): Identity | null {
  if (identity === null || !identity.id.includes(':')) return identity
  const known = noted.get(identity)
  if (known) return known
  const { id } = identity
  const succeed = (credential: Credential): Credential => {
    decisions.credentialOpened(id, credential)
    return credential
  }
  const fail = (error: unknown): never => {
    if (error instanceof CredentialError) decisions.credentialFailed(id, error)
    throw error
  }
  const made: Identity = {
    id,
    has: scheme => identity.has(scheme),
    open(needs: Needs, signal: Signal) {
      try {
        const opened = identity.open(needs, signal)
        return opened instanceof Promise ? opened.then(succeed, fail) : succeed(opened)
      } catch (error) {
        return fail(error)
      }
    },
    async renew(refused, signal) {
      const renewed = await identity.renew(refused, signal).catch(fail)
      return renewed && succeed(renewed)
    },
  }
  noted.set(identity, made)
  return made
}
