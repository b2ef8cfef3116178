import { draftSecurity, type Secured } from './schemes.ts'
import { addressOfServer, type Server, type Servers } from './servers.ts'
import type { UpstreamDraft } from './service.ts'

/** The facts about a document that its upstream needs. */
export interface UpstreamFacts {
  readonly servers: Servers
  readonly secured: Secured
  /** A server of the document that lacks a part of its address. */
  readonly incomplete: string | null
  /** Comments for the author, one sentence each. */
  readonly notes: readonly string[]
}

/** Drafts `upstream.yaml` from an OpenAPI document. */
export function draftUpstream(
  { servers, secured, incomplete, notes }: UpstreamFacts,
  prefix: string,
  url: string | null,
): UpstreamDraft {
  const { credential, schemes } = secured
  const { address, path } = addressOf(servers.base, url)
  const fallback = address === null ? '' : `:-${address}`
  const headers =
    credential && !schemes ? { headers: { [credential.header]: credential.value } } : {}
  return {
    route: 'rest',
    section: {
      base_url: `\${${prefix}_URL${fallback}}${path}`,
      ...otherServers(servers, prefix),
      ...headers,
    },
    url: address,
    mayNeedCredential: false,
    notes: [
      ...(path === '' ? [] : [`${prefix}_URL is the address of the host; ${path} follows it.`]),
      ...(incomplete === null || address !== null ? [] : [missingAddress(prefix, incomplete)]),
      ...(schemes === null && credential === null ? [missingCredential(prefix)] : []),
      ...notes,
    ],
    ...(schemes === null ? {} : { security: draftSecurity(schemes, prefix) }),
    files: {},
  }
}

/** Each has a variable of its own, as the address of the upstream has. */
function otherServers({ others }: Servers, prefix: string): Readonly<Record<string, unknown>> {
  const entries = [...others].map(([name, server]) => [
    name,
    `\${${prefix}_${name.toUpperCase()}_URL:-${addressOfServer(server)}}`,
  ])
  return entries.length > 0 ? { servers: Object.fromEntries(entries) } : {}
}

function missingAddress(prefix: string, incomplete: string): string {
  const shown = incomplete.replaceAll('${', '{')
  return `The document names the server ${shown}; set ${prefix}_URL to yours.`
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
