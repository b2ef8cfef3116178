import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { ExpressionScope } from '../../src/model/expression.ts'
import { headerNameFault } from '../http/wire/request-headers.ts'
import { cookieText, headerText } from './header-values.ts'
import { compileNamed } from './named.ts'
import type { RestCardSection } from './schema.ts'

/** Adds the card's headers to those of the upstream: alternating names and values. */
export type HeaderAdder = (headers: string[], scope: ExpressionScope) => void

/**
 * Compiles the headers and cookies of a card.
 * @param declared the upstream's headers
 */
export function compileCardHeaders(
  section: RestCardSection,
  declared: Readonly<Record<string, string>>,
  compiler: SectionCompiler,
): HeaderAdder {
  const { styles = {} } = section
  const headers = compileNamed(allowedHeaders(section, compiler), 'headers', compiler)
  const cookies = compileNamed(allowedCookies(section, declared, compiler), 'cookies', compiler)
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

/** A later header replaces an earlier one of the same name. */
export function setHeader(headers: string[], name: string, text: string): void {
  const lower = name.toLowerCase()
  const at = indexOfHeader(headers, lower)
  if (at === -1) headers.push(lower, text)
  else headers[at + 1] = text
}

function addCookie(headers: string[], name: string, text: string): void {
  const at = indexOfHeader(headers, 'cookie')
  const pair = `${name}=${text}`
  if (at === -1) headers.push('cookie', pair)
  else headers[at + 1] += `; ${pair}`
}

function indexOfHeader(headers: readonly string[], name: string): number {
  return headers.findIndex((item, index) => index % 2 === 0 && item === name)
}

/** Only the upstream's section sets these, so that no value of a caller's can act as a credential. */
const CREDENTIAL_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization'])

/** The content type is compiled with the body that it describes. */
function allowedHeaders(section: RestCardSection, compiler: SectionCompiler) {
  const { headers = {}, body, files } = section
  const hasBody = body !== undefined || files !== undefined
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => {
      if (hasBody && name.toLowerCase() === 'content-type') return false
      const isCredential = CREDENTIAL_HEADERS.has(name.toLowerCase())
      const fault = isCredential ? 'carries a credential' : headerNameFault(name)
      if (fault === null) return true
      const fix = isCredential ? 'Set it under rest.headers in upstream.yaml.' : 'Remove it.'
      compiler.problem(['headers', name], fault, fix)
      return false
    }),
  )
}

function allowedCookies(
  { cookies = {} }: RestCardSection,
  declared: Readonly<Record<string, string>>,
  compiler: SectionCompiler,
) {
  const ofUpstream = cookieNames(declared)
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
