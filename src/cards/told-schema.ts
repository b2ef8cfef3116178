/**
 * The input schema of a capability as models get it: only keywords that every provider of models takes, and nothing that
 * costs tokens without helping a model. It accepts whatever the full schema accepts; the gateway checks the full one.
 * Descriptions say what the left-out keywords would say. test/cards/providers.ts has the providers' limits.
 */
import { isObject } from '../lib/is-object.ts'
import { wordsOf } from '../lib/words.ts'
import type { JsonSchema } from '../model/card.ts'
import {
  alternativesIn,
  propertiesIn,
  requiredIn,
  typesIn,
  valuesOf,
  withoutReference,
} from './schema-parts.ts'
import { toldDescription } from './told-description.ts'

/** An object schema without patterns, bounds, references and defaults. */
export interface ToldSchema {
  readonly type: 'object'
  readonly description?: string
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false | JsonSchema
}

/** Deeper parts are told as open objects: providers limit the depth, and schemas may refer to themselves. */
const DEEPEST = 5
/** More values cost more tokens than a model gains from them. */
const MOST_VALUES = 100

/** Marks a text of bytes in Base64. It is a symbol, because providers of models take no `format: byte`. */
export const BYTES = Symbol('bytes')

const known = new WeakMap<JsonSchema, ToldSchema>()

/** @param schema the input schema of a card. @returns the same object for the same schema */
export function toldSchema(schema: JsonSchema): ToldSchema {
  const told = known.get(schema) ?? tellInput(schema)
  known.set(schema, told)
  return told
}

/** Providers allow no choice at the top, so that a text says which members belong together. */
function tellInput(schema: JsonSchema): ToldSchema {
  const whole = merged(schema, schema)
  const choice = choiceOf(whole)
  return {
    type: 'object',
    ...(choice === '' ? {} : { description: choice }),
    properties: {},
    ...membersOf(whole, { root: schema, depth: 0 }),
  }
}

/** `Exactly one of a, b.` for alternatives that differ in the members that they require. */
function choiceOf(schema: JsonSchema): string {
  return (['oneOf', 'anyOf'] as const)
    .flatMap(keyword => {
      const groups = alternativesIn(schema, keyword).map(requiredIn)
      if (groups.length < 2 || groups.some(group => group.length === 0)) return []
      const names = groups.map(group => group.join(' with ')).join(', ')
      return `${keyword === 'oneOf' ? 'Exactly' : 'At least'} one of ${names}.`
    })
    .join(' ')
}

interface Place {
  readonly root: JsonSchema
  readonly depth: number
}

function tell(part: unknown, place: Place): JsonSchema {
  if (!isObject(part)) return {}
  const schema = merged(part, place.root)
  const description = toldDescription(schema)
  const described = description === '' ? {} : { description }
  const told = kinds(schema, place)
  const [only, ...others] = told
  if (only === undefined) return described
  return others.length === 0 ? { ...only, ...described } : { anyOf: told, ...described }
}

/** The schemas of a value, one for each kind; none when it may be anything. */
function kinds(schema: JsonSchema, place: Place): readonly JsonSchema[] {
  const types = typesOf(schema)
  if (types.length > 0) return types.map(type => ofType(type, schema, place))
  const inside = deeper(place)
  if (inside.depth > DEEPEST) return []
  const alternatives = [...alternativesIn(schema, 'anyOf'), ...alternativesIn(schema, 'oneOf')]
  const told = alternatives.map(alternative => {
    const { description, ...one } = tell(alternative, inside)
    // The description of the whole says what the alternatives are.
    return description === undefined || schema.description !== undefined
      ? one
      : { ...one, description }
  })
  if (told.some(one => one.type === undefined && one.anyOf === undefined)) return []
  const flat = told.flatMap(one => (one.anyOf as readonly JsonSchema[] | undefined) ?? [one])
  return [...new Map(flat.map(one => [JSON.stringify(one), one])).values()]
}

/** The types that a schema names, or those of its values. */
function typesOf(schema: JsonSchema): readonly string[] {
  const types = typesIn(schema)
  if (types.length > 0) return schema.nullable === true ? [...types, 'null'] : types
  const values = valuesOf(schema)
  return [...new Set((values ?? []).map(typeOf))]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' ? 'number' : typeof value
}

function ofType(type: string, schema: JsonSchema, place: Place): JsonSchema {
  switch (type) {
    case 'object':
      return { type, ...membersOf(schema, deeper(place)) }
    case 'array':
      return { type, items: itemsOf(schema, deeper(place)) }
    case 'string':
      return { type, ...textKeywords(schema) }
    default:
      return { type }
  }
}

function deeper(place: Place): Place {
  return { ...place, depth: place.depth + 1 }
}

function itemsOf({ items }: JsonSchema, place: Place): JsonSchema {
  return place.depth > DEEPEST ? {} : tell(items, place)
}

function textKeywords(schema: JsonSchema): JsonSchema {
  if (schema.format === 'byte') return { [BYTES]: true }
  const texts = valuesOf(schema)?.filter(value => typeof value === 'string') ?? []
  return texts.length > 0 && texts.length <= MOST_VALUES ? { enum: texts } : {}
}

/** The members of an object; closed unless the full schema takes others. */
function membersOf(schema: JsonSchema, place: Place): Partial<ToldSchema> {
  const properties = Object.entries(propertiesIn(schema))
  if (place.depth > DEEPEST) return {}
  if (properties.length === 0 && place.depth > 0) return others(schema, place)
  const told = properties.map(([name, part]) => [name, withDescription(name, tell(part, place))])
  const required = requiredIn(schema).filter(name => Object.hasOwn(propertiesIn(schema), name))
  return {
    properties: Object.fromEntries(told),
    ...(required.length === 0 ? {} : { required }),
    ...others(schema, place),
  }
}

/** Without the keyword, an object is open. */
function others(schema: JsonSchema, place: Place): Pick<ToldSchema, 'additionalProperties'> {
  const { additionalProperties } = schema
  if (schema.patternProperties !== undefined) return {}
  if (additionalProperties === false) return { additionalProperties }
  if (!isObject(additionalProperties)) return {}
  const told = tell(additionalProperties, place)
  return Object.keys(told).length === 0 ? {} : { additionalProperties: told }
}

function withDescription(name: string, schema: JsonSchema): JsonSchema {
  if (schema.description !== undefined) return schema
  const [first = '', ...words] = wordsOf(name)
  const text = [first.charAt(0).toUpperCase() + first.slice(1), ...words].join(' ')
  return { ...schema, description: `${text}.` }
}

/** The schema without references, and with the parts of `allOf` put together. */
function merged(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { allOf: _, ...own } = withoutReference(schema, root)
  const parts = alternativesIn(withoutReference(schema, root), 'allOf')
  return parts.map(part => merged(part, root)).reduce(both, own)
}

function both(one: JsonSchema, other: JsonSchema): JsonSchema {
  return {
    ...other,
    ...one,
    properties: { ...propertiesIn(other), ...propertiesIn(one) },
    required: [...new Set([...requiredIn(one), ...requiredIn(other)])],
  }
}
