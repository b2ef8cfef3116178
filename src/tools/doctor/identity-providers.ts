import { checkKeysOf, type OpenIssuer, openIssuers } from '../../access/issuers.ts'
import type { Settings } from '../../gateway/config.ts'
import { isLoopback } from '../../lib/loopback.ts'
import { type Finding, ok, warn } from './finding.ts'

const PART = 'identity provider'

/** Checks whether `serve` could check tokens, by fetching the keys of their issuers. */
export async function checkIdentityProviders({
  oidc,
  host,
  public_url,
}: Pick<Settings, 'oidc' | 'host' | 'public_url'>): Promise<readonly Finding[]> {
  const found = await Promise.all(openIssuers(oidc).map(checkIssuer))
  if (oidc.length === 0 || public_url !== '' || isLoopback(host)) return found
  const message = 'clients that need a token are sent to http:// and the name in their Host header'
  const fix = "Set public_url to the gateway's own address, such as https://gateway.example.com."
  return [...found, warn(PART, message, fix)]
}

async function checkIssuer(issuer: OpenIssuer): Promise<Finding> {
  const { rules } = issuer
  const error = await checkKeysOf(issuer)
  if (error === null) {
    return ok(
      PART,
      `${rules.issuer} has keys; tokens need the audience ${rules.audiences.join(' or ')}`,
    )
  }
  const fix = 'Check issuer and jwks_uri in the settings, and the network of this machine.'
  return warn(PART, error.message.replace(/, so the .*$/, ''), fix)
}
