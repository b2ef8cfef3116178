import { BoundedMap } from '../lib/bounded-map.ts'
import { GATEWAY, type NoteDecision } from '../model/audit.ts'
import type { Credential, CredentialError } from '../model/credential.ts'

/** More than a gateway has keys and credentials. */
const MOST = 10_000
/** A credential is recorded so often at most for each kind of decision: a source can fail at every call. */
const PAUSE_MS = 60_000

/** Records the use, the renewal and the failure of credentials, and not every single one. */
export class CredentialDecisions {
  readonly #note: NoteDecision
  readonly #now: () => number
  readonly #choices = new BoundedMap<string, true>(MOST)
  /** The secrets of each credential that are known; compared, never recorded. */
  readonly #secrets = new BoundedMap<string, Set<string>>(MOST)
  readonly #seen = new WeakSet<Credential>()
  readonly #recorded = new BoundedMap<string, { readonly at: number; more: number }>(MOST)

  constructor(note: NoteDecision, now: () => number = Date.now) {
    this.#note = note
    this.#now = now
  }

  /** Records the first call for which a key uses a credential. */
  readonly chosen = (caller: string, credential: string): void => {
    const choice = `${caller} ${credential}`
    if (this.#choices.has(choice)) return
    this.#choices.set(choice, true)
    const reason = `First call of ${caller} with this credential since the gateway started.`
    this.#note({ action: 'credential.chosen', actor: caller, subject: credential, reason })
  }

  /** Records a secret that the source of a credential has not given before. */
  readonly opened = (id: string, credential: Credential): void => {
    if (this.#seen.has(credential)) return
    this.#seen.add(credential)
    const secret = credential.secrets.join('\n')
    const known = this.#secrets.get(id)
    if (known === undefined) return void this.#secrets.set(id, new Set([secret]))
    if (known.has(secret)) return
    if (known.size >= MOST) known.clear()
    known.add(secret)
    this.#noteSeldom('credential.renewed', id, 'Its source gave another secret.', {})
  }

  readonly failed = (id: string, { code, message }: CredentialError): void =>
    this.#noteSeldom('credential.failed', id, message, { code })

  #noteSeldom(
    action: 'credential.renewed' | 'credential.failed',
    subject: string,
    reason: string,
    details: Readonly<Record<string, unknown>>,
  ): void {
    const name = `${action} ${subject}`
    const last = this.#recorded.get(name)
    if (last && this.#now() - last.at < PAUSE_MS) {
      last.more++
      return
    }
    this.#recorded.set(name, { at: this.#now(), more: 0 })
    const before = last && last.more > 0 ? { more_before: last.more } : {}
    this.#note({ action, actor: GATEWAY, subject, reason, details: { ...details, ...before } })
  }
}
