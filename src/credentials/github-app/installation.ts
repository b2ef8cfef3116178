import { isObject } from '../../lib/is-object.ts'
import type { Signal } from '../../lib/signal.ts'
import { CredentialError } from '../../model/credential.ts'
import type { AppClient } from './app-client.ts'

/** The place where an app is installed. */
export interface Installation {
  readonly id: number
  /** The login of the account; null when only the id was given. */
  readonly account: string | null
}

/**
 * Finds the installation on an account; without an account, the only one of the app.
 * @throws {CredentialError}
 */
export async function findInstallation(
  client: AppClient,
  account: string | null,
  signal: Signal,
): Promise<Installation> {
  return account === null ? await onlyOne(client, signal) : await onAccount(client, account, signal)
}

async function onAccount(
  client: AppClient,
  account: string,
  signal: Signal,
): Promise<Installation> {
  const name = encodeURIComponent(account)
  // GitHub answers for organizations at /users too; some versions of its Enterprise Server do not.
  for (const path of [`/users/${name}/installation`, `/orgs/${name}/installation`]) {
    const { status, body } = await client.ask('GET', path, signal)
    const found = status === 200 ? readInstallation(body) : null
    if (found) return found
  }
  throw notInstalled(account)
}

async function onlyOne(client: AppClient, signal: Signal): Promise<Installation> {
  const { list } = await client.ask('GET', '/app/installations?per_page=2', signal)
  const found = list.flatMap(one => (isObject(one) ? (readInstallation(one) ?? []) : []))
  const [only, second] = found
  if (only === undefined) throw notInstalled('any account')
  if (second === undefined) return only
  throw new CredentialError(
    'AUTH',
    'The app has several installations, and the input of this call names no account. Use a credential that names one in installation, such as installation: my-org.',
  )
}

function readInstallation({ id, account }: Readonly<Record<string, unknown>>): Installation | null {
  if (typeof id !== 'number') return null
  const login = isObject(account) ? account.login : null
  return { id, account: typeof login === 'string' ? login : null }
}

export function notInstalled(account: string): CredentialError {
  return new CredentialError(
    'AUTH',
    `The app is not installed on ${account}, or not any more. An owner can install it from the app's page on GitHub; or use another credential.`,
  )
}
