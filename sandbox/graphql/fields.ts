import type { GraphQLResolveInfo } from 'graphql'
import type { User } from '../store/entities.ts'
import type { Store } from '../store/store.ts'
import type { Principal, Quota } from '../store/tokens.ts'
import type { QueryCost } from './cost.ts'

/** What a resolver may know about the request it serves. */
export interface Context {
  store: Store
  principal: Principal
  viewer: User
  quota: Quota
  cost: QueryCost
}

/**
 * How the fields of one GraphQL type are read from one kind of object of the store. The names are
 * checked against the official types, except `Newer` ones that only the official schema has yet. A
 * field that is missing here is refused: see resolve.ts.
 */
export type Fields<Source, Type, Newer extends string = never> = {
  [Field in Exclude<keyof Type, '__typename'> | Newer]?: Resolver<Source>
}

/** Each resolver names the type of its own arguments, which `never` leaves open. */
type Resolver<Source> = (
  source: Source,
  args: never,
  context: Context,
  info: GraphQLResolveInfo,
) => unknown
