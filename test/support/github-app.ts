import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import type { App, AppPermissions, Installation, Sandbox } from '../../sandbox/index.ts'

export interface KeyPair {
  /** PKCS #1 in PEM, as GitHub gives it to people. */
  readonly privateKey: string
  readonly publicKey: string
}

export function newKeyPair(): KeyPair {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
}

let usual: KeyPair | null = null

/** Making one takes a tenth of a second, so the tests of a file share it. */
export function keyPair(): KeyPair {
  usual ??= newKeyPair()
  return usual
}

export const APP_ID = 4242

export interface AppOptions {
  readonly on?: readonly string[]
  readonly permissions?: AppPermissions
  readonly publicKeys?: readonly string[]
}

export interface InstalledApp {
  readonly app: App
  readonly installations: readonly Installation[]
}

/** Makes the app `reviewer-app` on a sandbox, and installs it on accounts. */
export function installApp(
  { store }: Pick<Sandbox, 'store'>,
  { on = ['octo-org'], permissions, publicKeys = [keyPair().publicKey] }: AppOptions = {},
): InstalledApp {
  const accountOf = (login: string) => {
    const account = store.accounts.find(login)
    if (!account) throw new Error(`the seed has no ${login}`)
    return account
  }
  const app = store.apps.add({
    id: APP_ID,
    slug: 'reviewer-app',
    owner: accountOf('octo-org'),
    publicKeys,
    ...(permissions && { permissions }),
  })
  return {
    app,
    installations: on.map(login => store.apps.install({ app, account: accountOf(login) })),
  }
}

interface Claims {
  readonly iss?: string
  readonly iat?: number
  readonly exp?: number
  readonly privateKey?: string
}

/** A JWT of the app, as it says, or wrong in one way. */
export async function appJwt(claims: Claims = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const { iss = String(APP_ID), iat = now - 30, exp = now + 500, privateKey } = claims
  return await new SignJWT({ iss, iat, exp })
    .setProtectedHeader({ alg: 'RS256' })
    .sign(createPrivateKey(privateKey ?? keyPair().privateKey))
}
