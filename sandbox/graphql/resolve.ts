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
 * Resolves a field with the table of its type, or reads it from a plain object that another resolver
 * made (a connection, a mutation's payload). Any other field is an error: a silent null could let a
 * test pass that fails on GitHub.
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
  if (resolver && parentType.name === 'Mutation')
    return resolveMutation(resolver, args, context, info)
  if (resolver) return shown(resolver(source, args as never, context, info), info)
  if (!fields && isObject(source) && Object.hasOwn(source, fieldName)) return source[fieldName]
  throw new Error(`sandbox: ${parentType.name}.${fieldName} is not modelled`)
}

/** Null for an author whose account is gone, and for an app where the schema promises a user. */
function shown(value: unknown, { parentType, returnType }: GraphQLResolveInfo): unknown {
  if (!isObject(value) || parentType.name === 'Query') return value
  const isGhost = value.kind === 'User' && value.login === 'ghost'
  const isNoUser = String(returnType) === 'User' && value.kind !== 'User'
  return isGhost || isNoUser ? null : value
}

type MutationArgs = { readonly input?: Readonly<Record<string, unknown>> }

/**
 * Runs a mutation and adds `clientMutationId` to its payload. Refuses input that the mutation never
 * reads: on GitHub it would have an effect.
 */
function resolveMutation(
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
  const { clientMutationId } = watched
  const payload = resolver(undefined, { input: watched } as never, context, info)
  const [name] = unread
  if (name === undefined) return { clientMutationId, ...(payload as object) }
  throw new Error(`sandbox: ${name} of ${info.fieldName} is not modelled`)
}

/** Input fields that hold the schema's default. The caller did not ask for them. */
function defaultsIn({ schema, fieldName }: GraphQLResolveInfo, input: object): string[] {
  const [argument] = schema.getMutationType()?.getFields()[fieldName]?.args ?? []
  const type = argument && getNullableType(argument.type)
  if (!isInputObjectType(type)) return []
  return Object.entries(type.getFields())
    .filter(([name, { defaultValue }]) => defaultValue === Reflect.get(input, name))
    .map(([name]) => name)
}

/** Objects of the store have their type in `kind`. */
export const resolveType: GraphQLTypeResolver<unknown, Context> = value => {
  if (isObject(value) && typeof value.kind === 'string') return value.kind
  throw new Error('sandbox: an abstract field gave an object without a kind')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
