import { isObject } from '../lib/is-object.ts'
import { MAX_NESTING } from '../lib/nesting.ts'
import type { JsonSchema } from '../model/card.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import {
  alternativesIn,
  propertiesIn,
  requiredIn,
  typesIn,
  valuesOf,
  withoutReference,
} from './schema-parts.ts'

/** The input that a request means. */
export function givenInput(
  { input, leavesOutNulls = false }: Pick<ExecuteRequest, 'input' | 'leavesOutNulls'>,
  schema: JsonSchema,
): unknown {
  const given = input ?? {}
  return leavesOutNulls ? withoutOptionalNulls(given, schema) : given
}

/**
 * Leaves out the optional members that are null although their schema takes no null: models in strict mode have to send every
 * member, and send null for those that they would leave out. A null that the schema takes has a meaning of its own.
 * @returns the same value if nothing is left out
 */
export function withoutOptionalNulls(input: unknown, schema: JsonSchema): unknown {
  return prune(input, schema, { root: schema, depth: 0 })
}

interface Place {
  readonly root: JsonSchema
  readonly depth: number
}

function prune(value: unknown, part: unknown, place: Place): unknown {
  if (!isObject(part) || place.depth > MAX_NESTING) return value
  const schema = withoutReference(part, place.root)
  const inside = { ...place, depth: place.depth + 1 }
  if (isObject(value)) return pruneMembers(value, schema, inside)
  if (!Array.isArray(value) || !isObject(schema.items)) return value
  return unlessSame(
    value,
    value.map(item => prune(item, schema.items, inside)),
  )
}

function pruneMembers(
  object: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  place: Place,
): unknown {
  const properties = propertiesIn(schema)
  const required = requiredIn(schema)
  const names = Object.keys(object)
  const kept = names.filter(name => {
    if (object[name] !== null || !Object.hasOwn(properties, name)) return true
    return required.includes(name) || takesNull(properties[name], place)
  })
  const members = kept.map(name => {
    const part = Object.hasOwn(properties, name) ? properties[name] : undefined
    return [name, prune(object[name], part, place)] as const
  })
  const isSame =
    kept.length === names.length && members.every(([name, one]) => one === object[name])
  return isSame ? object : Object.fromEntries(members)
}

function unlessSame(list: readonly unknown[], pruned: readonly unknown[]): readonly unknown[] {
  return pruned.every((item, index) => item === list[index]) ? list : pruned
}

function takesNull(part: unknown, place: Place): boolean {
  if (!isObject(part) || place.depth > MAX_NESTING) return true
  const schema = withoutReference(part, place.root)
  const values = valuesOf(schema)
  if (values !== null && !values.includes(null)) return false
  const types = typesIn(schema)
  if (types.length > 0 && !types.includes('null') && schema.nullable !== true) return false
  const inside = { ...place, depth: place.depth + 1 }
  const takes = (one: JsonSchema) => takesNull(one, inside)
  return (
    alternativesIn(schema, 'allOf').every(takes) &&
    ['anyOf', 'oneOf'].every(keyword => {
      const alternatives = alternativesIn(schema, keyword)
      return alternatives.length === 0 || alternatives.some(takes)
    })
  )
}
