import { isObject } from '../lib/is-object.ts'
import type { JsonSchema } from '../model/card.ts'
import { alternativesIn, propertiesIn, requiredIn, typesIn, valuesOf } from './schema-parts.ts'
import { BYTES, toldSchema } from './told-schema.ts'

/** A longer signature names its optional members without their types. */
const LONGEST = 600

/**
 * An input in one line, as TypeScript would write it: `owner: string, state?: "open"|"closed"`. It takes a quarter of the
 * tokens of the schema that models get, and says enough for a first call.
 */
export function signatureOf(input: JsonSchema): string {
  const told: JsonSchema = { ...toldSchema(input) }
  const whole = membersOf(told, typeOf)
  const members = whole.length <= LONGEST ? whole : membersOf(told, typeOf, () => null)
  return typeof told.description === 'string' ? `${members} (${told.description})` : members
}

type Write = (schema: unknown) => string | null

/** The required members first: a first call needs them. */
function membersOf(schema: JsonSchema, write: Write, optional = write): string {
  const required = requiredIn(schema)
  const members = Object.entries(propertiesIn(schema))
  const line = (mark: string, type: Write, isWanted: boolean) =>
    members
      .filter(([name]) => required.includes(name) === isWanted)
      .map(([name, part]) => {
        const text = type(part)
        return text === null ? `${name}${mark}` : `${name}${mark}: ${text}`
      })
  return [...line('', write, true), ...line('?', optional, false)].join(', ')
}

function typeOf(part: unknown): string {
  if (!isObject(part)) return 'any'
  const values = valuesOf(part)
  if (values) return values.map(value => JSON.stringify(value)).join('|')
  const alternatives = alternativesIn(part, 'anyOf')
  if (alternatives.length > 0) return alternatives.map(typeOf).join('|')
  // Some texts, such as abcd, are valid Base64 too: sent as they are, they would become other bytes.
  if (Object.hasOwn(part, BYTES)) return 'base64'
  const [type = 'any'] = typesIn(part)
  if (type === 'array') return listOf(part)
  const members = propertiesIn(part)
  return type === 'object' && Object.keys(members).length > 0
    ? `{${membersOf(part, typeOf)}}`
    : type
}

function listOf({ items }: JsonSchema): string {
  const item = typeOf(items)
  return item.includes('|') ? `(${item})[]` : `${item}[]`
}
