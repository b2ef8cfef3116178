import { isObject } from '../../lib/is-object.ts'
import { pointerKeys } from '../../lib/json-pointer.ts'
import { NotExpressible } from './errors.ts'

export type Json = Readonly<Record<string, unknown>>

/** Follows a `$ref` within the document. Never fetches another file or address. */
export function follow(document: Json, reference: string): unknown {
  if (!reference.startsWith('#')) {
    throw new NotExpressible(
      `refers to ${reference}, which is outside this document; bundle its files into one first`,
    )
  }
  let found: unknown = document
  for (const key of pointerKeys(decoded(reference.slice(1)))) {
    found = memberOf(found, key)
    if (found === undefined) {
      throw new NotExpressible(`refers to ${reference}, which the document does not have`)
    }
  }
  return found
}

/** A member of an object, or an item of a list (RFC 6901 §4); undefined if there is none. */
function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** The fragment of a URI is percent-encoded (RFC 6901 §6). */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    throw new NotExpressible(`refers to #${fragment}, which is not a valid reference`)
  }
}

/** Returns the value itself, or the value it refers to; an empty object if that is not an object. */
export function deref(document: Json, value: unknown): Json {
  let found = value
  for (let hops = 0; isObject(found) && typeof found.$ref === 'string'; hops++) {
    if (hops > 20) throw new NotExpressible(`refers to ${found.$ref}, which only refers to itself`)
    found = follow(document, found.$ref)
  }
  return isObject(found) ? found : {}
}

/** The members of an object whose values are objects; empty for any other value. */
export function objectMembers(value: unknown): [string, Json][] {
  if (!isObject(value)) return []
  return Object.entries(value).filter((entry): entry is [string, Json] => isObject(entry[1]))
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The text; null for a blank one, or for any other value. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}
