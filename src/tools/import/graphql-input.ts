import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLScalarType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
} from 'graphql'
import { shorten } from '../../lib/text.ts'
import type { JsonSchema } from '../../model/card.ts'
import { NotExpressible } from './offer.ts'

const MOST_DEPTH = 5

/** The schema of what an argument or a field of an input object takes. Null is not offered: it is left out. */
export function inputSchema(
  member: GraphQLArgument | GraphQLInputField,
  chain: readonly string[] = [],
): JsonSchema {
  return { ...typeSchema(member.type, chain), ...described(member.description) }
}

function typeSchema(type: GraphQLInputType, chain: readonly string[]): JsonSchema {
  if (isNonNullType(type)) return typeSchema(type.ofType, chain)
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType, chain) }
  if (isEnumType(type)) return enumSchema(type.getValues().map(({ name }) => name))
  if (isScalarType(type)) return scalarSchema(type)
  if (!isInputObjectType(type) || chain.includes(type.name) || chain.length > MOST_DEPTH) {
    return { type: 'object' }
  }
  const fields = usedFields(Object.values(type.getFields()))
  const required = fields.filter(isRequiredInputField).map(({ name }) => name)
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    properties: Object.fromEntries(
      fields.map(field => [field.name, inputSchema(field, [...chain, type.name])]),
    ),
  }
}

/** Of what a caller could give, that which says something: neither deprecated, nor Relay's own id. */
export function usedFields<T extends GraphQLArgument | GraphQLInputField>(
  fields: readonly T[],
): T[] {
  return fields.filter(
    field =>
      field.name !== 'clientMutationId' &&
      (field.deprecationReason == null || isRequiredInputField(field as GraphQLInputField)),
  )
}

const SCALARS: Readonly<Record<string, string>> = {
  String: 'string',
  ID: 'string',
  Int: 'integer',
  Float: 'number',
  Boolean: 'boolean',
}

/** A scalar of the service's own may be any JSON. */
export function scalarSchema({ name }: GraphQLScalarType): JsonSchema {
  if (name === 'Upload') throw new NotExpressible('takes a file (Upload), and a card sends JSON')
  const type = SCALARS[name]
  return type === undefined ? { description: name } : { type }
}

export function enumSchema(values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values }
}

export function described(text: string | null | undefined): JsonSchema {
  const line = text?.replaceAll(/\s+/g, ' ').trim()
  return line ? { description: shorten(line, 300) } : {}
}
