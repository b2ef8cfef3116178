import { createAjv } from '../../cards/ajv.ts'
import type { Card, JsonSchema } from '../../model/card.ts'

type Input = Readonly<Record<string, unknown>>

const ajv = createAjv({ strict: false })

/** Sample strings for names, ids, dates and addresses. A member gets the first that its schema allows. */
export const SAMPLE_TEXTS: readonly string[] = [
  'octo-org',
  'octo-org/hello-world',
  'I_kwDOAAAD6M4AAAPp',
  '2026-01-02T03:04:05Z',
  '2026-01-02',
  'https://github.com/octo-org/hello-world/issues/1',
  'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678',
  'refs/heads/main',
  'd73a4a',
  '1',
  'query { viewer { login } }',
]

/**
 * Inputs that reach the branches of a card: one with all members, one with the required members only, and
 * one for each further value that a member can have.
 */
export function sampleInputs(card: Card): Input[] {
  const { properties = {}, required = [] } = card.input as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  const choices = Object.entries(properties).map(
    ([name, schema]) => [name, valuesOf(schema)] as const,
  )
  const first = (entries: typeof choices) =>
    Object.fromEntries(entries.map(([name, [value]]) => [name, value]))
  const full = first(choices)
  const least = first(choices.filter(([name]) => required.includes(name)))
  const others = choices.flatMap(([name, all]) =>
    all.slice(1).map(value => ({ ...full, [name]: value })),
  )
  return [full, least, ...others].map(input => withDefaults(card, input))
}

/** Returns the input unchanged if the card refuses it, e.g. because two members exclude each other. */
function withDefaults(card: Card, input: Input): Input {
  try {
    return card.parseInput(input)
  } catch {
    return input
  }
}

function valuesOf(schema: JsonSchema): unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum
  if ('const' in schema) return [schema.const]
  const [type] = [schema.type].flat()
  switch (type) {
    case 'boolean':
      return [true, false]
    case 'integer':
    case 'number':
      return [schema.minimum ?? 1]
    case 'array':
      return [sampleArray(schema)]
    case 'object':
      return [sampleObject(schema)]
    default:
      return [sampleText(schema)]
  }
}

function sampleArray({ items = { type: 'string' }, minItems = 1 }: JsonSchema): unknown[] {
  const [item] = valuesOf(items as JsonSchema)
  return Array.from({ length: Number(minItems) || 1 }, () => item)
}

function sampleObject({ properties = {} }: JsonSchema): Input {
  const members = Object.entries(properties as Record<string, JsonSchema>)
  return Object.fromEntries(members.map(([name, member]) => [name, valuesOf(member)[0]]))
}

function sampleText(schema: JsonSchema): unknown {
  const fits = ajv.compile(schema)
  return schema.default ?? SAMPLE_TEXTS.find(text => fits(text)) ?? 'text'
}
