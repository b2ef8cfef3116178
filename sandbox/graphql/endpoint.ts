import type { FastifyInstance } from 'fastify'
import { exchangeOf, runEndpoint } from '../exchange.ts'
import { isJsonObject, type JsonObject, readJsonObject } from '../json.ts'
import { RestError } from '../rest/errors.ts'
import { type GraphQLRequest, operationName, prepare } from './execute.ts'

/** `POST /graphql`. A refused query is answered with 200 too. */
export function graphqlEndpoint(app: FastifyInstance): void {
  app.post('/graphql', request => {
    const exchange = exchangeOf(request)
    const { store, principal, quota } = exchange
    if (!principal || !quota) throw new Error('an endpoint was reached without a principal')
    const query = prepare(readRequest(readJsonObject(request.body)))
    // One point was charged on arrival, before the query was parsed.
    quota.used += query.cost.cost - 1
    return runEndpoint(exchange, () => query.run(store, principal, quota))
  })
}

/** The name of the operation in a body. Null if it has none, or the body is invalid. */
export function operationIn(body: unknown): string | null {
  try {
    return operationName(readRequest(readJsonObject(body)))
  } catch {
    return null
  }
}

function readRequest({ query, variables, operationName }: JsonObject): GraphQLRequest {
  if (typeof query !== 'string') {
    throw new RestError(400, 'A query attribute must be specified and must be a string.')
  }
  return {
    query,
    variables: isJsonObject(variables) ? variables : {},
    operationName: typeof operationName === 'string' ? operationName : undefined,
  }
}
