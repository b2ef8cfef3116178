import { isObject } from './is-object.ts'

/**
 * Drops the null members of an object; any other value stays as it is. An expression sees an omitted
 * input as null, but an upstream may take null for "clear this field".
 */
export function withoutNulls(value: unknown): unknown {
  if (!isObject(value) || !Object.values(value).includes(null)) return value
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

/** Drops the null members of an object and of the objects in it; arrays stay as they are. */
export function withoutNullsDeep(value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null && member !== undefined)
      .map(([name, member]) => [name, withoutNullsDeep(member)]),
  )
}
