import { isBase64 } from './base64.ts'
import { isObject } from './is-object.ts'
import { pointerKeys } from './json-pointer.ts'

type Schema = Readonly<Record<string, unknown>>

/** Values to use for members of these names, wherever their schemas allow them. */
export type ExampleValues = Readonly<Record<string, unknown>>

/** Thrown where no value can be found; the whole example is then of no use. */
class NoExampleError extends Error {}

/** Deeper values are of schemas that refer to themselves. */
const MOST_LEVELS = 12

/**
 * An example of the values that a JSON Schema allows: the required members only, lists of one item. Undefined if none is
 * found. Keywords that restrict a value by its relation to others (`not`, `if`) are not heeded: see `isFullyHeeded`.
 */
export function exampleOf(schema: Schema, values: ExampleValues): unknown {
  try {
    return build(schema, { root: schema, values, name: '', level: 0 })
  } catch (error) {
    if (error instanceof NoExampleError) return undefined
    throw error
  }
}

const UNHEEDED =
  /"(?:not|if|dependentRequired|dependentSchemas|dependencies|contains|propertyNames|patternProperties|uniqueItems)":/

/** Whether every keyword counts, so that an example needs no check by a validator. */
export function isFullyHeeded(schema: Schema): boolean {
  return !UNHEEDED.test(JSON.stringify(schema))
}

interface Place {
  /** Where references begin. */
  readonly root: Schema
  readonly values: ExampleValues
  /** The member that has the value. */
  readonly name: string
  readonly level: number
}

function build(given: unknown, place: Place): unknown {
  if (place.level > MOST_LEVELS) throw new NoExampleError()
  const schema = flatten(given, place)
  const usual = usualValues(schema, place).find(
    value => value !== undefined && allows(schema, value),
  )
  if (usual !== undefined) return usual
  const type = Array.isArray(schema.type) ? schema.type[0] : (schema.type ?? guessType(schema))
  const make = MAKERS[String(type)]
  if (make === undefined) throw new NoExampleError()
  return make(schema, place)
}

function usualValues(schema: Schema, { values, name }: Place): readonly unknown[] {
  const [stated] = list(schema.examples)
  // Only the author knows a value of a format that is not known here.
  const named = isKnown(schema) ? values[name] : undefined
  return [stated, schema.const, named, schema.default, list(schema.enum)[0]]
}

/** Takes the first alternative, and everything that holds beside it. */
function flatten(given: unknown, place: Place): Schema {
  if (given === true) return {}
  if (!isObject(given)) throw new NoExampleError()
  const { $ref, anyOf, oneOf, allOf, ...own } = given
  const others = [
    ...(typeof $ref === 'string' ? [resolve($ref, place.root)] : []),
    ...first(anyOf),
    ...first(oneOf),
    ...(Array.isArray(allOf) ? allOf : []),
  ]
  const below = { ...place, level: place.level + 1 }
  if (below.level > MOST_LEVELS) throw new NoExampleError()
  return others.map(one => flatten(one, below)).reduce(merge, own)
}

const first = (alternatives: unknown): readonly unknown[] =>
  Array.isArray(alternatives) ? alternatives.slice(0, 1) : []

function resolve(reference: string, root: Schema): unknown {
  if (reference === '#') return root
  const names = pointerKeys(reference.replace(/^#/, ''))
  return names.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), root)
}

function merge(own: Schema, other: Schema): Schema {
  const required = [...list(own.required), ...list(other.required)]
  const properties = { ...object(other.properties), ...object(own.properties) }
  return {
    ...other,
    ...own,
    ...(required.length === 0 ? {} : { required }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  }
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const object = (value: unknown): Schema => (isObject(value) ? value : {})

function guessType(schema: Schema): string {
  if ('properties' in schema || 'required' in schema) return 'object'
  return 'items' in schema ? 'array' : 'string'
}

type Make = (schema: Schema, place: Place) => unknown

const MAKERS: Readonly<Record<string, Make>> = {
  object: buildObject,
  array: buildArray,
  string: buildText,
  integer: buildNumber,
  number: buildNumber,
  boolean: () => true,
  null: () => null,
}

function buildObject(schema: Schema, place: Place): unknown {
  const properties = object(schema.properties)
  const names = list(schema.required).map(String)
  const optional = Object.keys(properties).filter(name => !names.includes(name))
  const least = Math.max(0, numberOf(schema.minProperties, 0) - names.length)
  const entries = [...names, ...optional.slice(0, least)].map(name => [
    name,
    build(properties[name] ?? {}, { ...place, name, level: place.level + 1 }),
  ])
  const missing = numberOf(schema.minProperties, 0) - entries.length
  return { ...Object.fromEntries(entries), ...(missing > 0 ? buildOther(schema, place) : {}) }
}

/** A member whose name the schema leaves open. */
function buildOther({ additionalProperties, minProperties }: Schema, place: Place): object {
  if (minProperties !== 1 || !isObject(additionalProperties)) throw new NoExampleError()
  const { values, level } = place
  const name = typeof values.path === 'string' ? values.path : 'example'
  return { [name]: build(additionalProperties, { ...place, name: 'content', level: level + 1 }) }
}

function buildArray(schema: Schema, place: Place): unknown {
  const below = { ...place, level: place.level + 1 }
  const { prefixItems, items, minItems, maxItems } = schema
  if (Array.isArray(prefixItems)) return prefixItems.map(one => build(one, below))
  if (items === undefined || items === false || maxItems === 0) return []
  const item = build(items, { ...below, name: place.name.replace(/s$/, '') })
  return Array.from({ length: Math.max(1, numberOf(minItems, 1)) }, () => item)
}

function buildNumber(schema: Schema): unknown {
  const above = numberOf(schema.exclusiveMinimum, 0) + 1
  const candidates = [1, schema.minimum, schema.multipleOf, above, schema.maximum, 0]
  const found = candidates.find(one => typeof one === 'number' && allows(schema, one))
  if (found === undefined) throw new NoExampleError()
  return found
}

const FORMATS: Readonly<Record<string, string>> = {
  byte: 'aGVsbG8=',
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  email: 'octocat@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '6f1ad0a5-50f4-4c8e-9b0c-0e6e1f0f4a11',
}
/** Tried in order for texts with a pattern. */
const TEXTS = ['example', '1', 'A1', 'e83c5163316f89bfbde7d9ab23ca2e25604af290', '2026-01-31']

function isKnown({ format }: Schema): boolean {
  return format === undefined || (typeof format === 'string' && Object.hasOwn(FORMATS, format))
}

function buildText(schema: Schema, { name }: Place): unknown {
  if (!isKnown(schema)) throw new NoExampleError()
  const { format } = schema
  const least = 'x'.repeat(Math.min(numberOf(schema.minLength, 0), 1000))
  const usual = typeof format === 'string' ? [FORMATS[format] ?? ''] : []
  const found = [...usual, name, ...TEXTS, least].find(text =>
    allows({ minLength: 1, ...schema }, text),
  )
  if (found === undefined) throw new NoExampleError()
  return found
}

/** Whether a schema allows a value, as far as one can say without a validator. */
function allows(schema: Schema, value: unknown): boolean {
  if (!hasType(schema, value)) return false
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false
  if (typeof value === 'string') return allowsText(schema, value)
  if (typeof value === 'number') return allowsNumber(schema, value)
  return true
}

function hasType({ type }: Schema, value: unknown): boolean {
  if (type === undefined) return true
  const types = (Array.isArray(type) ? type : [type]).map(String)
  return types.includes(typeOf(value)) || (typeof value === 'number' && types.includes('number'))
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

function allowsText({ minLength, maxLength, pattern, format }: Schema, text: string): boolean {
  if (text.length < numberOf(minLength, 0)) return false
  if (text.length > numberOf(maxLength, Number.POSITIVE_INFINITY)) return false
  if (format === 'byte' && !isBase64(text)) return false
  if (format === 'uri' && !URL.canParse(text)) return false
  if (format === 'date-time' && Number.isNaN(Date.parse(text))) return false
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text)
}

function allowsNumber(schema: Schema, value: number): boolean {
  return (
    value >= numberOf(schema.minimum, Number.NEGATIVE_INFINITY) &&
    value <= numberOf(schema.maximum, Number.POSITIVE_INFINITY) &&
    value > numberOf(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY) &&
    value < numberOf(schema.exclusiveMaximum, Number.POSITIVE_INFINITY) &&
    value % numberOf(schema.multipleOf, value || 1) === 0
  )
}

const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise
