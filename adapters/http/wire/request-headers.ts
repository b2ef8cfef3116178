import { version } from '../../../src/lib/version.ts'
import type { CallContext, SectionCompiler } from '../../../src/model/adapter.ts'

/** RFC 9110's token: what a header name may be. */
const TOKEN = /^[!#$%&'*+\-.^_`|~\w]+$/
/** What a header value may hold; anything else could end the header and begin another. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers that say how the message is framed and where it goes: the client's business alone. */
const FRAMING = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const PLACEHOLDER = '${credential}'

export type HeaderBuilder = (context: CallContext) => string[]

/**
 * Compiles the headers of an upstream's section: names and values in turn, as undici takes them fastest.
 * A header that needs the credential is left out when there is none.
 */
export function compileHeaders(
  declared: Readonly<Record<string, string>>,
  defaults: Readonly<Record<string, string>>,
  compiler: SectionCompiler,
): HeaderBuilder {
  const all = {
    'user-agent': `signalbox/${version}`,
    ...defaults,
    ...lowerCased(declared, compiler),
  }
  const fixed: string[] = []
  const secret: (readonly [string, string])[] = []
  for (const [name, value] of Object.entries(all)) {
    if (value.includes(PLACEHOLDER)) secret.push([name, value])
    else if (value !== '') fixed.push(name, value)
  }
  return ({ credential, traceparent }) => {
    const headers = [...fixed]
    if (credential) {
      for (const [name, value] of secret) {
        headers.push(
          name,
          value.replaceAll(PLACEHOLDER, () => credential.token),
        )
      }
    }
    if (traceparent !== undefined) headers.push('traceparent', traceparent)
    return headers
  }
}

function lowerCased(
  declared: Readonly<Record<string, string>>,
  compiler: SectionCompiler,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(declared)) {
    const fault =
      headerNameFault(name) ?? (isHeaderValue(value) ? null : 'has a value that no header can hold')
    if (fault === null) headers[name.toLowerCase()] = value
    else compiler.problem(['headers', name], fault, 'Correct or remove the header.')
  }
  return headers
}

/** Why a card or upstream may not set this header, or null when it may. */
export function headerNameFault(name: string): string | null {
  if (!TOKEN.test(name)) return 'is no header name'
  return FRAMING.has(name.toLowerCase()) ? 'is set by the HTTP client itself' : null
}

export function isHeaderValue(value: string): boolean {
  return VALUE.test(value)
}
