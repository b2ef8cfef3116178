import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Signal } from '../../lib/signal.ts'
import { CredentialError } from '../../model/credential.ts'
import type { Source } from '../source.ts'

/** GitHub takes a JWT that is issued a little early, and lasts ten minutes at most. */
const EARLIER_S = 60
const LASTS_S = 540

export interface AppSources {
  readonly appId: Source
  readonly privateKey: Source
}

/**
 * Signs the JWT with which an app asks GitHub as itself.
 * @param time epoch milliseconds on GitHub's clock
 * @throws {CredentialError}
 */
export async function signJwt(
  { appId, privateKey }: AppSources,
  time: number,
  signal: Signal,
): Promise<string> {
  const id = await appId.get(signal)
  const key = readKey(await privateKey.get(signal))
  // Most gateways have no app: load the library with the first.
  const { SignJWT } = await import('jose')
  const issuedAt = Math.floor(time / 1000) - EARLIER_S
  return await new SignJWT()
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + EARLIER_S + LASTS_S)
    .sign(key)
}

/** Both forms of PEM. Variables often have `\n` for the ends of lines. The error of the parser may quote the key. */
function readKey(text: string): KeyObject {
  try {
    const key = createPrivateKey(text.replaceAll(String.raw`\n`, '\n'))
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    // It is reported below.
  }
  throw new CredentialError(
    'AUTH',
    'private_key is no RSA key in PEM. Take the file as GitHub gave it, with all its lines, or generate another key in the settings of the app.',
  )
}
