import { version } from '../../../src/lib/version.ts'
import type { CallContext, SectionCompiler } from '../../../src/model/adapter.ts'
import type { Schemes } from '../../../src/model/credential.ts'
import { type CredentialTemplate, compileTemplate, templateFault } from './credential-template.ts'
import { placeInHeaders } from './place-credential.ts'

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

export type HeaderBuilder = (context: CallContext) => string[]

/**
 * Compiles the headers of an upstream's section. The builder returns alternating names and values, the
 * form that undici handles fastest. It omits a header that needs the credential when there is none.
 */
export function compileHeaders(
  declared: Readonly<Record<string, string>>,
  defaults: Readonly<Record<string, string>>,
  { schemes, compiler }: { readonly schemes: Schemes; readonly compiler: SectionCompiler },
): HeaderBuilder {
  checkSchemes(schemes, compiler)
  const all = {
    'user-agent': `signalbox/${version}`,
    ...defaults,
    ...lowerCased(declared, schemes, compiler),
  }
  const fixed: string[] = []
  const withCredential: (readonly [string, CredentialTemplate])[] = []
  for (const [name, value] of Object.entries(all)) {
    const template = compileTemplate(value)
    if (template) withCredential.push([name, template])
    else if (value !== '') fixed.push(name, value)
  }
  return ({ credential, traceparent }) => {
    const headers = [...fixed]
    for (const [name, template] of withCredential) {
      const value = template(credential)
      if (value !== null) headers.push(name, value)
    }
    placeInHeaders(headers, credential, schemes)
    if (traceparent !== undefined) headers.push('traceparent', traceparent)
    return headers
  }
}

const HEADER_FIX =
  'Correct or remove the header. For a secret, add credential: { env: [NAME] }, or schemes.'

function lowerCased(
  declared: Readonly<Record<string, string>>,
  schemes: Schemes,
  compiler: SectionCompiler,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(declared)) {
    const fault =
      headerNameFault(name) ??
      templateFault(value, schemes) ??
      (isHeaderValue(value) ? null : 'has a value with characters that HTTP does not allow')
    if (fault === null) headers[name.toLowerCase()] = value
    else compiler.problem(['headers', name], fault, HEADER_FIX)
  }
  return headers
}

/** Names of schemes become names of headers. */
function checkSchemes(schemes: Schemes, compiler: SectionCompiler): void {
  for (const [key, scheme] of Object.entries(schemes)) {
    if (scheme.type !== 'header' && scheme.type !== 'cookie') continue
    const fault = headerNameFault(scheme.name)
    const isFaulty = scheme.type === 'header' ? fault !== null : fault === NO_NAME
    const fix = `Correct schemes.${key}.name.`
    if (isFaulty) compiler.problem([], `cannot send the scheme ${key}: its name ${fault}`, fix)
  }
}

const NO_NAME = 'is not a valid header name'

/** The reason why a card or upstream may not set this header; null when it may. */
export function headerNameFault(name: string): string | null {
  if (!TOKEN.test(name)) return NO_NAME
  return FRAMING.has(name.toLowerCase()) ? 'is set by the HTTP client' : null
}

export function isHeaderValue(value: string): boolean {
  return VALUE.test(value)
}
