import { isObject } from '../../lib/is-object.ts'
import { NotExpressible } from './offer.ts'

export type Json = Readonly<Record<string, unknown>>

/** Follows a `$ref` within a document; anything else is not fetched, but refused by its name. */
export function follow(document: Json, reference: string): unknown {
  if (!reference.startsWith('#')) {
    throw new NotExpressible(
      `refers to ${reference}, which is outside of this document; bundle its files into one first`,
    )
  }
  let found: unknown = document
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isObject(found) || !Object.hasOwn(found, key)) {
      throw new NotExpressible(`refers to ${reference}, which the document does not have`)
    }
    found = found[key]
  }
  return found
}

/** The thing itself, where a reference may stand in its place. An empty object when there is none. */
export function deref(document: Json, value: unknown): Json {
  let found = value
  for (let hops = 0; isObject(found) && typeof found.$ref === 'string'; hops++) {
    if (hops > 20) throw new NotExpressible(`refers to ${found.$ref}, which only refers to itself`)
    found = follow(document, found.$ref)
  }
  return isObject(found) ? found : {}
}

/** The members of an object that are objects themselves; none of anything else. */
export function membersOf(value: unknown): [string, Json][] {
  if (!isObject(value)) return []
  return Object.entries(value).filter((entry): entry is [string, Json] => isObject(entry[1]))
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}
