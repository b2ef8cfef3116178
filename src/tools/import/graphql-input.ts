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
import type { JsonSchema } from '../../model/card.ts'
import { describedBy } from './description.ts'
import { NotExpressible } from './errors.ts'

const MAX_DEPTH = 5

/** The schema of an argument, or of a field of an input object. Allows no null: callers leave it out. */
export function inputSchema(
  member: GraphQLArgument | GraphQLInputField,
  chain: readonly string[] = [],
): JsonSchema {
  return { ...typeSchema(member.type, chain), ...describedBy(member.description) }
}

function typeSchema(type: GraphQLInputType, chain: readonly string[]): JsonSchema {
  if (isNonNullType(type)) return typeSchema(type.ofType, chain)
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType, chain) }
  if (isEnumType(type)) return enumSchema(type.getValues().map(({ name }) => name))
  if (isScalarType(type)) return scalarSchema(type)
  if (!isInputObjectType(type) || chain.includes(type.name) || chain.length > MAX_DEPTH) {
    return { type: 'object' }
  }
  const fields = usableFields(Object.values(type.getFields()))
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

/** Drops optional fields that are deprecated, and Relay's own id. */
export function usableFields<T extends GraphQLArgument | GraphQLInputField>(
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

/** A custom scalar may hold any JSON. */
export function scalarSchema({ name }: GraphQLScalarType): JsonSchema {
  if (name === 'Upload') throw new NotExpressible('takes a file (Upload), and a card sends JSON')
  const type = SCALARS[name]
  return type === undefined ? { description: name } : { type }
}

export function enumSchema(values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values }
}
