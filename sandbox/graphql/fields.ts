import type { GraphQLResolveInfo } from 'graphql'
import type { User } from '../store/entities.ts'
import type { Store } from '../store/store.ts'
import type { Principal, Quota } from '../store/tokens.ts'
import type { QueryCost } from './cost.ts'

export type { GraphQLResolveInfo as Info }

/** The request that a resolver serves. */
export interface Context {
  store: Store
  principal: Principal
  viewer: User
  quota: Quota
  cost: QueryCost
}

/**
 * The resolvers of one GraphQL type, for one kind of object in the store. Names are checked against
 * the official types, except `Newer` ones, which those types lack. A field without a resolver is
 * refused: see resolve.ts.
 */
export type Fields<Source, Type, Newer extends string = never> = {
  [Field in Exclude<keyof Type, '__typename'> | Newer]?: Resolver<Source>
}

/** `never` lets each resolver declare the type of its own arguments. */
type Resolver<Source> = (
  source: Source,
  args: never,
  context: Context,
  info: GraphQLResolveInfo,
) => unknown
