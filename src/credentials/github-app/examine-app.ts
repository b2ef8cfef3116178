import { isObject } from '../../lib/is-object.ts'
import type { Signal } from '../../lib/signal.ts'
import { wordsOf } from '../../model/standing.ts'
import type { Source } from '../source.ts'
import type { AppClient } from './app-client.ts'
import { notInstalled } from './installation.ts'

/** Installations to get a token for. An app of many accounts has more than anybody reads. */
const MOST = 5

/**
 * Gets a token for the installations of an app, and says what each may do.
 * @throws {CredentialError} for the first that gives none
 */
export async function examineApp(
  client: AppClient,
  sourceOf: (account: string) => Source,
  signal: Signal,
): Promise<readonly string[]> {
  const { body } = await client.ask('GET', '/app', signal)
  const { list } = await client.ask('GET', '/app/installations?per_page=100', signal)
  const accounts = list.flatMap(one => accountIn(one) ?? [])
  if (accounts.length === 0) throw notInstalled('any account')
  const sources = new Map(accounts.slice(0, MOST).map(name => [sourceOf(name), name]))
  const words = [`the app ${String(body.slug)} is installed on ${accounts.join(', ')}`]
  for (const [source, account] of sources) {
    await source.get(signal)
    const standing = source.standing?.()
    if (standing)
      words.push(`${sources.size > 1 ? `${account}: ` : ''}a token ${wordsOf(standing)}`)
  }
  return words
}

function accountIn(installation: unknown): string | null {
  const account = isObject(installation) ? installation.account : null
  const login = isObject(account) ? account.login : null
  return typeof login === 'string' ? login : null
}
