import {
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  GraphQLError,
  getOperationAST,
  parse,
} from 'graphql'
import type { Store } from '../store/store.ts'
import type { Principal, Quota } from '../store/tokens.ts'
import { type QueryCost, queryCost, tooManyNodes } from './cost.ts'
import { formatError, type GitHubError, githubError } from './errors.ts'
import { resolveField, resolveType } from './resolve.ts'
import { loadSchema } from './schema.ts'
import { validateDocument } from './validation.ts'

export interface GraphQLRequest {
  query: string
  variables: Readonly<Record<string, unknown>>
  operationName: string | undefined
}

export interface GraphQLAnswer {
  data?: ExecutionResult['data']
  errors?: GitHubError[]
}

/** A query with its cost. The cost is charged before the run, so that `rateLimit` includes it. */
export interface PreparedQuery {
  cost: QueryCost
  run(store: Store, principal: Principal, quota: Quota): GraphQLAnswer
}

/** Parses, validates and prices a query. Errors are returned by `run`, never thrown. */
export function prepare(request: GraphQLRequest): PreparedQuery {
  const { document, errors } = readDocument(request.query)
  if (errors.length > 0 || !document) return refused(errors)

  const cost = queryCost(document, request.variables)
  const excess = tooManyNodes(cost)
  if (excess) return refused([githubError('MAX_NODE_LIMIT_EXCEEDED', excess)])

  return {
    cost,
    run(store, principal, quota) {
      const result = executeSync({
        schema: loadSchema(),
        document,
        contextValue: { store, principal, viewer: principal.user, quota, cost },
        variableValues: request.variables,
        operationName: request.operationName,
        fieldResolver: resolveField,
        typeResolver: resolveType,
      })
      return {
        ...(result.data !== undefined && { data: result.data }),
        ...(result.errors && { errors: result.errors.map(formatError) }),
      }
    },
  }
}

/** The name of the operation to run. Faults can match it. */
export function operationName(request: GraphQLRequest): string | null {
  const { document } = readDocument(request.query)
  if (!document) return request.operationName ?? null
  return getOperationAST(document, request.operationName)?.name?.value ?? null
}

function refused(errors: readonly GraphQLError[]): PreparedQuery {
  return {
    cost: { cost: 1, nodeCount: 0 },
    run: () => ({ errors: errors.map(formatError) }),
  }
}

interface ReadDocument {
  document?: DocumentNode
  errors: readonly GraphQLError[]
}

const MAX_CACHED = 500
const documents = new Map<string, ReadDocument>()

/** Cached: parsing and validating takes longer than answering, and clients repeat their documents. */
function readDocument(text: string): ReadDocument {
  const cached = documents.get(text)
  if (cached) return cached
  const read = parseAndValidate(text)
  if (documents.size >= MAX_CACHED) documents.clear()
  documents.set(text, read)
  return read
}

function parseAndValidate(text: string): ReadDocument {
  try {
    const document = parse(text)
    return { document, errors: validateDocument(document) }
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] }
    throw error
  }
}
