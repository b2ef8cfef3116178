import { createCliAdapter } from '../../adapters/cli/index.ts'
import { createGraphqlAdapter } from '../../adapters/graphql/index.ts'
import { createRestAdapter } from '../../adapters/rest/index.ts'
import type { Adapters } from '../cards/upstream.ts'

/** Creates the adapter of each route. A new adapter is one folder and one line here. */
export function createAdapters(): Adapters {
  return { rest: createRestAdapter(), graphql: createGraphqlAdapter(), cli: createCliAdapter() }
}
