import type { Account, Timestamp } from '../entities.ts'
import type { Signature } from './objects.ts'

/** The address in commits of users whose email is private. */
export function hiddenEmail({ databaseId, login }: Account): string {
  return `${databaseId}+${login}@users.noreply.github.com`
}

/** An account's git signature, with the public address, or GitHub's `noreply` address. */
export function signatureOf(account: Account, at: Timestamp): Signature {
  const email = account.kind === 'Organization' ? null : account.email
  return {
    name: account.name ?? account.login,
    email: email ?? hiddenEmail(account),
    seconds: Date.parse(at) / 1000,
  }
}
