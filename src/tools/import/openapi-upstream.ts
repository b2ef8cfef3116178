import { draftSecurity, type Secured } from './schemes.ts'
import type { Server } from './servers.ts'
import type { UpstreamDraft } from './service.ts'

/** Drafts `upstream.yaml` from an OpenAPI document. */
export function draftUpstream(
  server: Server,
  { credential, schemes }: Secured,
  prefix: string,
  url: string | null,
): UpstreamDraft {
  const { address, path } = addressOf(server, url)
  const fallback = address === null ? '' : `:-${address}`
  const headers =
    credential && !schemes ? { headers: { [credential.header]: credential.value } } : {}
  return {
    route: 'rest',
    section: { base_url: `\${${prefix}_URL${fallback}}${path}`, ...headers },
    url: address,
    mayNeedCredential: false,
    notes: [
      ...(path === '' ? [] : [`${prefix}_URL is the address of the host; ${path} follows it.`]),
      ...(schemes === null && credential === null ? [missingCredential(prefix)] : []),
    ],
    ...(schemes === null ? {} : { security: draftSecurity(schemes, prefix) }),
    files: {},
  }
}

/** A relative server needs the operator's host; its path stays, unless the given address has one already. */
function addressOf({ origin, path }: Server, url: string | null) {
  if (url !== null) {
    const isHost = new URL(url).pathname === '/'
    const host = url.replace(/\/$/, '')
    return isHost && origin === null ? { address: host, path } : { address: url, path: '' }
  }
  return origin === null ? { address: null, path } : { address: `${origin}${path}`, path: '' }
}

function missingCredential(prefix: string): string {
  return (
    'The document names no credential that goes into a header. If the service takes one, add ' +
    `credential: {env: [${prefix}_TOKEN]}, and under rest: headers: {authorization: "Bearer \${credential}"}.`
  )
}
