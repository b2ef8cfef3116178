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
import type { ReportFault } from './report-fault.ts'

/** The schemas that documents are checked against. */
export interface Schemas {
  /** GitHub's published schema alone. */
  readonly published: GraphQLSchema
  /** The published schema plus the cards' own additions; null when there are none. */
  readonly extended: GraphQLSchema | null
}

export function readSchemas(additions: string | null): Schemas {
  const file = new URL('./schema.graphql', import.meta.resolve('@octokit/graphql-schema'))
  const sdl = readFileSync(file, 'utf8')
  return { published: build(sdl), extended: additions === null ? null : build(sdl + additions) }
}

function build(sdl: string): GraphQLSchema {
  // Skip validation: the official file declares one field twice.
  return buildASTSchema(parse(sdl, { noLocation: true }), {
    assumeValid: true,
    assumeValidSDL: true,
  })
}

/** graphql-js rejects same-named fields whose types differ in nullability; servers accept them. */
const TOLERATED = /return conflicting types/

/**
 * Checks a document, and that the values which the samples send fit the types of its variables. Returns
 * whether the document needs more than the published schema.
 */
export function checkGraphqlCall(
  schemas: Schemas,
  call: GraphqlCall,
  scopes: readonly Scope[],
  report: ReportFault,
): boolean {
  let isExtended = false
  for (const { text, variables } of requestsOf(call, scopes, report)) {
    const { schema, faults, operation } = readDocument(schemas, text)
    for (const fault of faults) reportError(fault, call, report)
    if (schema !== schemas.published) isExtended = true
    for (const message of operation ? valueFaults(schema, operation, variables) : []) {
      report(call.at, message, 'Send values of the types that the document declares.')
    }
  }
  return isExtended
}

interface ReadDocument {
  readonly schema: GraphQLSchema
  readonly faults: readonly GraphQLError[]
  /** Undefined when the document has faults. */
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

function requestsOf(call: GraphqlCall, scopes: readonly Scope[], report: ReportFault): Request[] {
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
    report(call.at, 'has no query that this check can read', `Write query: "'query …'" here.`)
  }
  return requests
}

function reportError(
  { message, locations }: GraphQLError,
  call: GraphqlCall,
  report: ReportFault,
): void {
  const [where] = locations ?? []
  const line = where ? `line ${where.line} of the document: ` : ''
  report(call.at, line + message, "Correct the document to match GitHub's published schema.")
}

/** Skips unknown values, and does not report them as missing. */
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
