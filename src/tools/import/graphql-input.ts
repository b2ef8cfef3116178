import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  getNamedType,
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
import { type Budget, buildWithin, type Limits } from './schema-budget.ts'

/** The conversion of one argument. */
interface Conversion extends Limits {
  /** The input types around this one. */
  readonly chain: readonly string[]
  readonly level: number
}

/** The budget of one operation's input, and its notes. */
export interface InputContext {
  readonly budget: Budget
  readonly notes: Set<string>
}

/**
 * The schemas of arguments, or of the fields of an input object, by name. They allow no null: callers leave it out.
 * Leaves the deepest types open if the whole does not fit: filters that contain each other grow without end.
 */
export function inputSchemas(
  members: readonly (GraphQLArgument | GraphQLInputField)[],
  { budget, notes }: InputContext,
  chain: readonly string[] = [],
): Readonly<Record<string, JsonSchema>> {
  const { properties = {} } = buildWithin(budget, notes, limits => {
    const at = { ...limits, chain, level: 0 }
    return { properties: Object.fromEntries(members.map(one => [one.name, memberSchema(one, at)])) }
  })
  return properties as Readonly<Record<string, JsonSchema>>
}

function memberSchema(member: GraphQLArgument | GraphQLInputField, at: Conversion): JsonSchema {
  return { ...typeSchema(member.type, at), ...describedBy(member.description) }
}

function typeSchema(type: GraphQLInputType, at: Conversion): JsonSchema {
  at.spend()
  if (isNonNullType(type)) return typeSchema(type.ofType, at)
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType, at) }
  if (isEnumType(type)) return enumSchema(type.getValues().map(({ name }) => name))
  if (isScalarType(type)) return scalarSchema(type)
  return isInputObjectType(type) ? objectSchema(type, at) : { type: 'object' }
}

function objectSchema(type: GraphQLInputObjectType, at: Conversion): JsonSchema {
  if (at.chain.includes(type.name)) return { type: 'object' }
  if (at.level >= at.depth) {
    at.leaveOpen(type.name)
    return { type: 'object' }
  }
  const fields = usableFields(Object.values(type.getFields()))
  const required = fields.filter(isRequiredInputField).map(({ name }) => name)
  const inner = { ...at, chain: [...at.chain, type.name], level: at.level + 1 }
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    properties: Object.fromEntries(fields.map(field => [field.name, memberSchema(field, inner)])),
  }
}

/** Drops optional fields that are deprecated or take files, and Relay's own id. */
export function usableFields<T extends GraphQLArgument | GraphQLInputField>(
  fields: readonly T[],
  notes?: Set<string>,
): T[] {
  return fields.filter(field => {
    if (field.name === 'clientMutationId') return false
    if (isRequiredInputField(field as GraphQLInputField)) return true
    const isFile = takesFile(field.type, [])
    if (isFile) notes?.add(`This card lacks ${field.name}, which takes a file.`)
    return !isFile && field.deprecationReason == null
  })
}

/** Whether no value of the type can do without a file. */
function takesFile(type: GraphQLInputType, chain: readonly string[]): boolean {
  const named = getNamedType(type)
  if (named.name === UPLOAD) return true
  if (!isInputObjectType(named) || chain.includes(named.name)) return false
  return Object.values(named.getFields())
    .filter(isRequiredInputField)
    .some(field => takesFile(field.type, [...chain, named.name]))
}

/** The scalar of files, which travel in a multipart form. */
const UPLOAD = 'Upload'

const SCALARS: Readonly<Record<string, string>> = {
  String: 'string',
  ID: 'string',
  Int: 'integer',
  Float: 'number',
  Boolean: 'boolean',
}

/** A custom scalar may hold any JSON. */
export function scalarSchema({ name }: GraphQLScalarType): JsonSchema {
  if (name === UPLOAD) throw new NotExpressible('takes a file (Upload), and a card sends JSON')
  const type = SCALARS[name]
  return type === undefined ? { description: name } : { type }
}

export function enumSchema(values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values }
}
