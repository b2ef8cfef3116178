import { isObject } from '../lib/is-object.ts'
import { pointerKeys } from '../lib/json-pointer.ts'
import type { JsonSchema } from '../model/card.ts'

/** References in a row before a schema counts as one that only refers to itself. */
const MOST_REFERENCES = 20

/** The schema that a reference within the same document stands for, with the keywords beside the reference. */
export function withoutReference(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let found = schema
  for (let count = 0; typeof found.$ref === 'string'; count++) {
    if (count === MOST_REFERENCES) return {}
    const { $ref, ...others } = found
    found = { ...partAt(root, $ref), ...others }
  }
  return found
}

/** The part of a document that a fragment such as `#/$defs/line` names; open if there is none. */
function partAt(root: JsonSchema, reference: string): JsonSchema {
  let part: unknown = root
  for (const key of pointerKeys(reference)) {
    part = typeof part === 'object' && part !== null ? (part as JsonSchema)[key] : undefined
  }
  return isObject(part) ? part : {}
}

/** The members of an object schema. */
export function propertiesIn(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const { properties } = schema
  return isObject(properties) ? (properties as Readonly<Record<string, JsonSchema>>) : {}
}

export function requiredIn({ required }: JsonSchema): readonly string[] {
  return Array.isArray(required) ? (required as readonly string[]) : []
}

/** The schemas of a keyword such as `anyOf`. */
export function alternativesIn(schema: JsonSchema, keyword: string): readonly JsonSchema[] {
  const alternatives = schema[keyword]
  return Array.isArray(alternatives) ? alternatives.filter(isObject) : []
}

export function typesIn({ type }: JsonSchema): readonly string[] {
  return typeof type === 'string' ? [type] : Array.isArray(type) ? (type as readonly string[]) : []
}

/** The values that a schema allows; null when it names none. */
export function valuesOf(schema: JsonSchema): readonly unknown[] | null {
  if (Array.isArray(schema.enum)) return schema.enum as readonly unknown[]
  return 'const' in schema ? [schema.const] : null
}
