import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { isGraphqlQuery } from '../../lib/graphql-query.ts'
import type { Card, JsonSchema } from '../../model/card.ts'

type Input = Readonly<Record<string, unknown>>

const ajv = new Ajv({ strict: false })
addFormats.default(ajv)
ajv.addFormat('graphql-query', isGraphqlQuery)

/** Texts that fit what cards ask of names, ids, dates and addresses; the first that is allowed is used. */
const TEXTS = [
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
 * Inputs of a capability that reach its branches: with everything given, with only what is required, and
 * with each value that a member has a choice of.
 */
export function sampleInputs(card: Card): Input[] {
  const { properties = {}, required = [] } = card.input as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  const choices = Object.entries(properties).map(
    ([name, schema]) => [name, values(schema)] as const,
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

/** An input that the card refuses as a whole (two members that exclude each other) serves as it is. */
function withDefaults(card: Card, input: Input): Input {
  try {
    return card.parseInput(input)
  } catch {
    return input
  }
}

function values(schema: JsonSchema): unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum
  if ('const' in schema) return [schema.const]
  const [type] = [schema.type].flat()
  switch (type) {
    case 'boolean':
      return [true, false]
    case 'integer':
    case 'number':
      return [schema.minimum ?? 1]
    case 'array': {
      const [item] = values((schema.items as JsonSchema | undefined) ?? { type: 'string' })
      return [Array.from({ length: Number(schema.minItems ?? 1) || 1 }, () => item)]
    }
    case 'object': {
      const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
      return [Object.fromEntries(members.map(([name, member]) => [name, values(member)[0]]))]
    }
    default: {
      const fits = ajv.compile(schema)
      return [schema.default ?? TEXTS.find(text => fits(text)) ?? 'text']
    }
  }
}
