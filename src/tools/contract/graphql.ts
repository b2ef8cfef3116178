import { readFileSync } from 'node:fs'
import {
  buildASTSchema,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql'
import { isObject } from '../../lib/is-object.ts'
import type { GraphqlCall } from './calls.ts'
import { evaluate, type Scope, UNKNOWN, withoutUnknown } from './evaluate.ts'
import type { Report } from './rest.ts'

/** Schemas that documents are held against. */
export interface Schemas {
  /** GitHub's published schema, and nothing beside it. */
  readonly published: GraphQLSchema
  /** With what the cards' own folder says that the published one does not tell yet; null without. */
  readonly extended: GraphQLSchema | null
}

export function readSchemas(additions: string | null): Schemas {
  const file = new URL('./schema.graphql', import.meta.resolve('@octokit/graphql-schema'))
  const sdl = readFileSync(file, 'utf8')
  return { published: build(sdl), extended: additions === null ? null : build(sdl + additions) }
}

function build(sdl: string): GraphQLSchema {
  // The official file declares one field twice, which a validating build would refuse.
  return buildASTSchema(parse(sdl, { noLocation: true }), {
    assumeValid: true,
    assumeValidSDL: true,
  })
}

/** Servers accept fields of one name with types that differ in nullability; graphql-js alone does not. */
const TOLERATED = /return conflicting types/

/**
 * Checks a document, and that the values which samples send for its variables fit their types. Gives
 * whether it needs more than the published schema.
 */
export function checkGraphqlCall(
  schemas: Schemas,
  call: GraphqlCall,
  scopes: readonly Scope[],
  report: Report,
): boolean {
  let isExtended = false
  for (const { text, variables } of requestsOf(call, scopes, report)) {
    const read = readDocument(schemas, text)
    for (const fault of read.faults) tell(fault, call, report)
    if (read.schema !== schemas.published) isExtended = true
    for (const message of read.operation
      ? valueFaults(read.schema, read.operation, variables)
      : []) {
      report(call.at, message, 'Send values of the types that the document declares.')
    }
  }
  return isExtended
}

interface ReadDocument {
  readonly schema: GraphQLSchema
  readonly faults: readonly GraphQLError[]
  /** Of a document without faults. */
  readonly operation?: OperationDefinitionNode | undefined
}

function readDocument({ published, extended }: Schemas, text: string): ReadDocument {
  try {
    const document = parse(text)
    const faultsBy = (schema: GraphQLSchema) =>
      validate(schema, document).filter(({ message }) => !TOLERATED.test(message))
    const isPublished = faultsBy(published).length === 0
    const schema = isPublished ? published : (extended ?? published)
    const faults = isPublished ? [] : faultsBy(schema)
    if (faults.length > 0) return { schema: published, faults }
    const operation = document.definitions.find(
      (part): part is OperationDefinitionNode => part.kind === Kind.OPERATION_DEFINITION,
    )
    return { schema, faults: [], operation }
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return { schema: published, faults: [error] }
  }
}

interface Request {
  readonly text: string
  readonly variables: Record<string, unknown>
}

function requestsOf(call: GraphqlCall, scopes: readonly Scope[], report: Report): Request[] {
  const bodies = scopes.map(scope => evaluate(call.variables, scope))
  if (call.document !== null) {
    const text = call.document
    return bodies.map(body => ({ text, variables: isObject(body) ? body : {} }))
  }
  const requests = bodies.flatMap(body => {
    if (!isObject(body) || typeof body.query !== 'string') return []
    return { text: body.query, variables: isObject(body.variables) ? body.variables : {} }
  })
  if (requests.length === 0) {
    report(call.at, 'has no query that can be read', `Write query: "'query …'" and variables.`)
  }
  return requests
}

function tell({ message, locations }: GraphQLError, call: GraphqlCall, report: Report): void {
  const [where] = locations ?? []
  const line = where ? `line ${where.line} of the document: ` : ''
  report(call.at, line + message, "Correct the document after GitHub's published schema.")
}

/** Values that are not known are left out, and so is the fault that they are missing. */
function valueFaults(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): string[] {
  const definitions = operation.variableDefinitions ?? []
  return definitions.flatMap(definition => {
    const { value: name } = definition.variable.name
    const value = variables[name]
    if (value === undefined || value === UNKNOWN || hasUnknown(value)) return []
    const { errors = [] } = getVariableValues(schema, [definition], {
      [name]: withoutUnknown(value),
    })
    return errors.map(({ message }) => message)
  })
}

function hasUnknown(value: unknown): boolean {
  return isObject(value) && Object.values(value).some(item => item === UNKNOWN || hasUnknown(item))
}
