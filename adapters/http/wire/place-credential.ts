import {
  basicParameters,
  type Credential,
  type Scheme,
  type Schemes,
  type SchemeValue,
} from '../../../src/model/credential.ts'
import { addCookie, setHeader } from './header-list.ts'

/** Puts the secrets that belong into headers there. `headers` are names and values, alternating. */
export function placeInHeaders(
  headers: string[],
  credential: Credential | null,
  schemes: Schemes,
): void {
  for (const [scheme, value] of placedValues(credential, schemes)) {
    if (scheme.type === 'query') continue
    if (scheme.type === 'cookie') addCookie(headers, scheme.name, cookieValue(value))
    else setHeader(headers, ...headerOf(scheme, value))
  }
}

/** The secrets that belong into the query, such as `api_key=…`; empty for none. They are no part of a path that is kept. */
export type SecretQuery = (credential: Credential | null) => string

export function compileSecretQuery(schemes: Schemes): SecretQuery {
  const isUsed = Object.values(schemes).some(({ type }) => type === 'query')
  return isUsed ? credential => secretQuery(credential, schemes) : () => ''
}

function secretQuery(credential: Credential | null, schemes: Schemes): string {
  const parts = placedValues(credential, schemes).flatMap(([scheme, value]) =>
    scheme.type === 'query' && typeof value === 'string'
      ? [`${encodeURIComponent(scheme.name)}=${encodeURIComponent(value)}`]
      : [],
  )
  return parts.join('&')
}

type PlacedScheme = Exclude<Scheme, { readonly type: 'placeholder' }>
type HeaderScheme = Extract<Scheme, { readonly type: 'header' | 'bearer' | 'basic' }>

const NONE: readonly (readonly [PlacedScheme, SchemeValue])[] = []

function placedValues(
  credential: Credential | null,
  schemes: Schemes,
): readonly (readonly [PlacedScheme, SchemeValue])[] {
  if (credential === null) return NONE
  const placed: (readonly [PlacedScheme, SchemeValue])[] = []
  for (const name of Object.keys(credential.values)) {
    const scheme = schemes[name]
    const value = credential.values[name]
    if (scheme === undefined || value === undefined || scheme.type === 'placeholder') continue
    placed.push([scheme, value])
  }
  return placed
}

function headerOf(scheme: HeaderScheme, value: SchemeValue): [string, string] {
  if (typeof value !== 'string') return ['authorization', `Basic ${basicParameters(value)}`]
  if (scheme.type === 'header') return [scheme.name, `${scheme.prefix ?? ''}${value}`]
  return ['authorization', `Bearer ${value}`]
}

/** RFC 6265 cookie-octets; others could end the cookie and begin another. */
function cookieValue(value: SchemeValue): string {
  const text = typeof value === 'string' ? value : ''
  return text.replaceAll(/[^\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]/gu, encodeURIComponent)
}
