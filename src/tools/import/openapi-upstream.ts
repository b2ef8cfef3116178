import { isObject } from '../../lib/is-object.ts'
import { type Json, listOf, textOf } from './references.ts'
import type { Credential } from './security.ts'
import type { UpstreamDraft } from './service.ts'

/** Drafts `upstream.yaml` from an OpenAPI document. */
export function draftUpstream(
  document: Json,
  credential: Credential | null,
  prefix: string,
  url: string | null,
): UpstreamDraft {
  const address = url ?? serverOf(document)
  const fallback = address === null ? '' : `:-${address}`
  const headers = credential ? { headers: { [credential.header]: credential.value } } : {}
  return {
    route: 'rest',
    section: { base_url: `\${${prefix}_URL${fallback}}`, ...headers },
    url: address,
    mayNeedCredential: false,
    notes: credential ? credential.notes : [missingCredential(prefix)],
    files: {},
  }
}

function missingCredential(prefix: string): string {
  return (
    'The document names no credential that goes into a header. If the service takes one, add ' +
    `credential: {env: [${prefix}_TOKEN]}, and under rest: headers: {authorization: "Bearer \${credential}"}.`
  )
}

/** The first server, with the defaults of its variables; null if that is not a complete address. */
function serverOf(document: Json): string | null {
  const [server] = listOf(document.servers).filter(isObject)
  const variables = isObject(server?.variables) ? server.variables : {}
  const filled = (textOf(server?.url) ?? '').replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = variables[name]
    return (isObject(variable) ? textOf(variable.default) : null) ?? whole
  })
  if (!/^https?:\/\//.test(filled) || !URL.canParse(filled)) return null
  const { origin, pathname } = new URL(filled)
  if (/[{}]|%7[BD]/i.test(origin + pathname)) return null
  return pathname === '/' ? origin : `${origin}${pathname}`
}
