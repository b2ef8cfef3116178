import { createCliAdapter } from '../../adapters/cli/index.ts'
import { createGraphqlAdapter } from '../../adapters/graphql/index.ts'
import { createRestAdapter } from '../../adapters/rest/index.ts'
import type { Adapters } from '../cards/upstream.ts'
import { dividedAdapter } from './workers/divide.ts'

/**
 * Creates the adapter of each route, for one of so many workers. A new adapter is one folder and one line here.
 */
export function createAdapters(workers = 1): Adapters {
  const own = {
    rest: createRestAdapter(),
    graphql: createGraphqlAdapter(),
    cli: createCliAdapter(),
  }
  if (workers === 1) return own
  return {
    rest: dividedAdapter(own.rest, workers),
    graphql: dividedAdapter(own.graphql, workers),
    cli: dividedAdapter(own.cli, workers),
  }
}
