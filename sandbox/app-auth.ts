import { createPublicKey } from 'node:crypto'
import { compactVerify, decodeJwt } from 'jose'
import { RestError } from './rest/errors.ts'
import type { App } from './store/apps.ts'
import type { Store } from './store/store.ts'

/** The requests that an app makes as itself, with a JWT that its private key has signed. */
const OF_APPS =
  /^\/app(?:\/|$)|^\/(?:orgs|users)\/[^/]+\/installation$|^\/repos\/[^/]+\/[^/]+\/installation$/

export function isOfApps(path: string): boolean {
  return OF_APPS.test(path)
}

/** Resolves the app from its JWT, or throws what GitHub answers. */
export async function authenticateApp(
  store: Store,
  authorization: string | undefined,
): Promise<App> {
  const [, jwt = ''] = /^(?:Bearer|token)\s+(\S+)\s*$/i.exec(authorization ?? '') ?? []
  const { iss, iat, exp } = claimsOf(jwt)
  const app = store.apps.find(String(iss))
  if (!app) throw new RestError(404, 'Integration not found')
  if (!(await isSigned(jwt, app.publicKeys))) throw undecodable()
  checkTimes(iat, exp, store.now() / 1000)
  return app
}

function claimsOf(jwt: string) {
  try {
    return decodeJwt<{ iss?: unknown; iat?: unknown; exp?: unknown }>(jwt)
  } catch {
    throw undecodable()
  }
}

async function isSigned(jwt: string, keys: readonly string[]): Promise<boolean> {
  for (const key of keys) {
    try {
      await compactVerify(jwt, createPublicKey(key), { algorithms: ['RS256'] })
      return true
    } catch {
      // Another of its keys may have signed it.
    }
  }
  return false
}

/** The longest life of a JWT that GitHub takes, in seconds. */
const LONGEST_S = 600

function checkTimes(iat: unknown, exp: unknown, now: number): void {
  if (typeof exp !== 'number' || exp <= now) {
    throw new RestError(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    )
  }
  if (exp > now + LONGEST_S) {
    throw new RestError(401, "'Expiration time' claim ('exp') is too far in the future")
  }
  if (typeof iat !== 'number' || iat > now) {
    throw new RestError(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    )
  }
}

/** GitHub says this of a wrong signature too. */
function undecodable(): RestError {
  return new RestError(401, 'A JSON web token could not be decoded')
}
