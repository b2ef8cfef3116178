import fc, { type Arbitrary } from 'fast-check'
import { createAjv } from '../../src/cards/ajv.ts'
import type { JsonSchema } from '../../src/model/card.ts'
import { SAMPLE_TEXTS } from '../../src/tools/contract/sample.ts'

/** Texts that the patterns and formats of the packs take. */
const TEXTS = [...SAMPLE_TEXTS, '1.2.3', 'ci.yml', 'QUFBQQ==', `sha512-${'A'.repeat(86)}==`]

/** Inputs that mostly keep a schema, with optional members that come and go, for a check to choose from. */
export function inputsFor(schema: JsonSchema): Arbitrary<unknown> {
  const alternatives = [schema.oneOf, schema.anyOf].find(Array.isArray) as JsonSchema[] | undefined
  const base = plain(schema)
  if (alternatives === undefined) return base
  if (schema.type === undefined) return fc.oneof(...alternatives.map(inputsFor))
  // The alternatives say which members stand together.
  const wanted = alternatives.map(({ required = [] }) => required as string[])
  const choice = new Set(wanted.flat())
  return fc
    .tuple(fc.constantFrom(...wanted), base, fullObject(schema))
    .map(([names, some, all]) => {
      const kept = Object.entries(some as object).filter(([name]) => !choice.has(name))
      const chosen = names.map(name => [name, (all as Record<string, unknown>)[name]])
      return { ...Object.fromEntries(kept), ...Object.fromEntries(chosen) }
    })
}

function plain(schema: JsonSchema): Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  if ('const' in schema) return fc.constant(schema.const)
  const types = [schema.type ?? ['string', 'integer', 'boolean']].flat() as string[]
  return fc.oneof(...types.map(type => ofType(type, schema)))
}

function ofType(type: string, schema: JsonSchema): Arbitrary<unknown> {
  const { minimum = 1, maximum = 1_000_000, minItems = 0, items = {} } = schema
  switch (type) {
    case 'integer':
      return fc.integer({ min: Number(minimum), max: Math.min(Number(maximum), 2 ** 31 - 1) })
    case 'number':
      return fc.double({ min: Number(minimum), max: Number(maximum), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.uniqueArray(inputsFor(items as JsonSchema), {
        minLength: Number(minItems),
        maxLength: Number(minItems) + 2,
        selector: item => JSON.stringify(item),
      })
    case 'object':
      return someObject(schema)
    default:
      return textsFor({ ...schema, type: 'string' })
  }
}

/** With any of the optional members. */
function someObject(schema: JsonSchema): Arbitrary<object> {
  return fc.record(membersOf(schema), { requiredKeys: (schema.required as string[]) ?? [] })
}

function fullObject(schema: JsonSchema): Arbitrary<object> {
  return fc.record(membersOf(schema))
}

function membersOf(schema: JsonSchema): Record<string, Arbitrary<unknown>> {
  const { properties = {}, additionalProperties } = schema
  const members = Object.entries(properties as Record<string, JsonSchema>)
  const any =
    typeof additionalProperties === 'object' ? [['x1', additionalProperties] as const] : []
  return Object.fromEntries(
    [...members, ...any].map(([name, part]) => [name, inputsFor(part as JsonSchema)]),
  )
}

const ajv = createAjv({ strict: false })

function textsFor(schema: JsonSchema): Arbitrary<string> {
  const fitting = TEXTS.filter(text => ajv.validate(schema, text))
  return fitting.length === 0 ? fc.string() : fc.constantFrom(...fitting)
}
