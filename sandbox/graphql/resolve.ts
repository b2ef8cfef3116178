import {
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLTypeResolver,
  getNullableType,
  isInputObjectType,
} from 'graphql'
import { isGiven } from '../given.ts'
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
  if (resolver && parentType.name === 'Mutation') return resolveWhole(resolver, args, context, info)
  if (resolver) return resolver(source, args as never, context, info)
  if (!fields && isObject(source) && Object.hasOwn(source, fieldName)) return source[fieldName]
  throw new Error(`sandbox: ${parentType.name}.${fieldName} is not modelled`)
}

type MutationArgs = { readonly input?: Readonly<Record<string, unknown>> }

/** A member of its input that a mutation never looks at would have an effect on GitHub, and has none here. */
function resolveWhole(
  resolver: NonNullable<Fields<unknown, Record<string, unknown>>[string]>,
  { input = {} }: MutationArgs,
  context: Context,
  info: GraphQLResolveInfo,
): unknown {
  const unread = new Set(Object.keys(input).filter(name => isGiven(input[name])))
  for (const name of defaultsIn(info, input)) unread.delete(name)
  const watched = new Proxy(input, {
    get(target, name) {
      unread.delete(String(name))
      return Reflect.get(target, name)
    },
  })
  const payload = resolver(undefined, { input: watched } as never, context, info)
  const [name] = unread
  if (name === undefined) return payload
  throw new Error(`sandbox: ${name} of ${info.fieldName} is not modelled`)
}

/** What the schema itself has put in asks for nothing. */
function defaultsIn({ schema, fieldName }: GraphQLResolveInfo, input: object): string[] {
  const [argument] = schema.getMutationType()?.getFields()[fieldName]?.args ?? []
  const type = argument && getNullableType(argument.type)
  if (!isInputObjectType(type)) return []
  return Object.entries(type.getFields())
    .filter(([name, { defaultValue }]) => defaultValue === Reflect.get(input, name))
    .map(([name]) => name)
}

/** Objects of the store say by themselves what they are. */
export const resolveType: GraphQLTypeResolver<unknown, Context> = value => {
  if (isObject(value) && typeof value.kind === 'string') return value.kind
  throw new Error('sandbox: an abstract field gave an object without a kind')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
