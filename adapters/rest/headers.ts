import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { Schemes } from '../../src/model/credential.ts'
import type { ExpressionScope } from '../../src/model/expression.ts'
import { addCookie, setHeader } from '../http/wire/header-list.ts'
import { headerNameFault } from '../http/wire/request-headers.ts'
import { cookieText, headerText } from './header-values.ts'
import { compileNamed } from './named.ts'
import type { RestCardSection } from './schema.ts'

/** Adds the card's headers to those of the upstream: alternating names and values. */
export type HeaderAdder = (headers: string[], scope: ExpressionScope) => void

/** The headers and schemes as `upstream.yaml` declares them. */
export interface DeclaredHeaders {
  readonly declared: Readonly<Record<string, string>>
  readonly schemes: Schemes
}

/** Compiles the headers and cookies of a card. */
export function compileCardHeaders(
  section: RestCardSection,
  { declared, schemes }: DeclaredHeaders,
  compiler: SectionCompiler,
): HeaderAdder {
  const { styles = {} } = section
  const headers = compileNamed(allowedHeaders(section, schemes, compiler), 'headers', compiler)
  const cookies = compileNamed(
    allowedCookies(
      section,
      [...cookieNames(declared), ...schemeNames(schemes, 'cookie')],
      compiler,
    ),
    'cookies',
    compiler,
  )
  checkStyles(section, 'headers', compiler)
  checkStyles(section, 'cookies', compiler)
  return (sent, scope) => {
    for (const [name, tree] of headers) {
      const value = tree(scope)
      if (isGiven(value)) setHeader(sent, name, headerText(name, value, styles.headers?.[name]))
    }
    for (const [name, tree] of cookies) {
      const value = tree(scope)
      if (isGiven(value)) addCookie(sent, name, cookieText(name, value, styles.cookies?.[name]))
    }
  }
}

/** Only the upstream's section sets these, so that no value of a caller's can act as a credential. */
const CREDENTIAL_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization'])

/** The content type is compiled with the body that it describes. */
function allowedHeaders(section: RestCardSection, schemes: Schemes, compiler: SectionCompiler) {
  const { headers = {}, body, files } = section
  const carriers = schemeNames(schemes, 'header').map(name => name.toLowerCase())
  const hasBody = body !== undefined || files !== undefined
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => {
      if (hasBody && name.toLowerCase() === 'content-type') return false
      const lower = name.toLowerCase()
      const isCredential = CREDENTIAL_HEADERS.has(lower) || carriers.includes(lower)
      const fault = isCredential ? 'carries a credential' : headerNameFault(name)
      if (fault === null) return true
      const fix = isCredential ? 'Declare it under schemes in upstream.yaml.' : 'Remove it.'
      compiler.problem(['headers', name], fault, fix)
      return false
    }),
  )
}

function allowedCookies(
  { cookies = {} }: RestCardSection,
  ofUpstream: readonly string[],
  compiler: SectionCompiler,
) {
  return Object.fromEntries(
    Object.entries(cookies).filter(([name]) => {
      const fault = headerNameFault(name) === 'is not a valid header name'
      if (!fault && !ofUpstream.includes(name)) return true
      const message = fault ? 'is not a valid name of a cookie' : 'is set in upstream.yaml'
      compiler.problem(['cookies', name], message, 'Correct or remove it.')
      return false
    }),
  )
}

/** The names of headers, parameters or cookies that carry a credential. */
export function schemeNames(schemes: Schemes, type: 'header' | 'query' | 'cookie'): string[] {
  return Object.values(schemes).flatMap(scheme => (scheme.type === type ? [scheme.name] : []))
}

function cookieNames(declared: Readonly<Record<string, string>>): string[] {
  return Object.entries(declared)
    .filter(([name]) => name.toLowerCase() === 'cookie')
    .flatMap(([, value]) => value.split(';').map(pair => pair.split('=', 1)[0]?.trim() ?? ''))
}

function checkStyles(
  section: RestCardSection,
  place: 'headers' | 'cookies',
  compiler: SectionCompiler,
): void {
  for (const name of Object.keys(section.styles?.[place] ?? {})) {
    if (Object.hasOwn(section[place] ?? {}, name)) continue
    const fix = `Add it to ${place}, written the same way, or remove it.`
    compiler.problem(['styles', place, name], 'is the style of nothing', fix)
  }
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined
}
