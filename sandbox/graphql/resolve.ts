import type { GraphQLFieldResolver, GraphQLTypeResolver } from 'graphql'
import type { Context, Fields } from './fields.ts'
import { types } from './types.ts'

/**
 * Reads a field from the table of its type, or from a plain object made by another resolver (a
 * connection, a mutation's payload). Nothing else has a value: a silent null would let a test pass
 * that the real service fails.
 */
export const resolveField: GraphQLFieldResolver<unknown, Context> = (
  source,
  args,
  context,
  info,
) => {
  const { parentType, fieldName } = info
  const fields = types[parentType.name] as Fields<unknown, Record<string, unknown>> | undefined
  const resolver = fields && Object.hasOwn(fields, fieldName) ? fields[fieldName] : undefined
  if (resolver) return resolver(source, args as never, context, info)
  if (!fields && isObject(source) && Object.hasOwn(source, fieldName)) return source[fieldName]
  throw new Error(`sandbox: ${parentType.name}.${fieldName} is not modelled`)
}

/** Objects of the store say by themselves what they are. */
export const resolveType: GraphQLTypeResolver<unknown, Context> = value => {
  if (isObject(value) && typeof value.kind === 'string') return value.kind
  throw new Error('sandbox: an abstract field gave an object without a kind')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
