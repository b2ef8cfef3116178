import { version } from '../../../src/lib/version.ts'
import type { CallContext, SectionCompiler } from '../../../src/model/adapter.ts'

/** RFC 9110 §5.6.2 token: the form of a header name. */
const TOKEN = /^[!#$%&'*+\-.^_`|~\w]+$/
/** Characters that a header value may hold. Any other could end the header and start a new one. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Headers for framing and routing the message; only the HTTP client sets them. */
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
 * Compiles the headers of an upstream's section. The builder returns alternating names and values, the
 * form that undici handles fastest. It omits a header that needs the credential when there is none.
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
  const withCredential: (readonly [string, string])[] = []
  for (const [name, value] of Object.entries(all)) {
    if (value.includes(PLACEHOLDER)) withCredential.push([name, value])
    else if (value !== '') fixed.push(name, value)
  }
  return ({ credential, traceparent }) => {
    const headers = [...fixed]
    if (credential) {
      for (const [name, value] of withCredential) {
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
      headerNameFault(name) ??
      (isHeaderValue(value) ? null : 'has a value with characters that HTTP does not allow')
    if (fault === null) headers[name.toLowerCase()] = value
    else compiler.problem(['headers', name], fault, 'Correct or remove the header.')
  }
  return headers
}

/** The reason why a card or upstream may not set this header; null when it may. */
export function headerNameFault(name: string): string | null {
  if (!TOKEN.test(name)) return 'is not a valid header name'
  return FRAMING.has(name.toLowerCase()) ? 'is set by the HTTP client' : null
}

export function isHeaderValue(value: string): boolean {
  return VALUE.test(value)
}
