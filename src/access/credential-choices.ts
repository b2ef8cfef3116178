import { BoundedMap } from '../lib/bounded-map.ts'
import type { NoteDecision } from '../model/audit.ts'

/** More than a gateway has keys and credentials. */
const MOST = 10_000

/** Records the first call for which a key uses a credential, and not each one. */
export function createCredentialChoices(note: NoteDecision) {
  const known = new BoundedMap<string, true>(MOST)
  return (caller: string, credential: string): void => {
    const choice = `${caller} ${credential}`
    if (known.has(choice)) return
    known.set(choice, true)
    const reason = `First call of ${caller} with this credential since the gateway started.`
    note({ action: 'credential.chosen', actor: caller, subject: credential, reason })
  }
}
