import { ExpressionError } from '../../src/expressions/expression.ts'
import { isGraphqlQuery } from '../../src/lib/graphql-query.ts'
import { withoutNulls } from '../../src/lib/without-nulls.ts'
import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { ExpressionScope, ExpressionTree } from '../../src/model/expression.ts'
import { type CompiledDocument, compileDocument, type SchemaSource } from './document.ts'
import { compileMergeable, type Mergeable } from './merge.ts'

/** One compiled operation of a card. */
export interface Operation {
  readonly isMutation: boolean
  /** Whether the caller wrote the document, and so has to correct its faults. */
  readonly isCallersDocument: boolean
  /** Builds the JSON body of the request. */
  body(scope: ExpressionScope): string
  /** For merging with other queries into one request. Null if it must be sent alone, as a mutation must. */
  mergeable(scope: ExpressionScope): Mergeable | null
}

export interface OperationSource {
  readonly document?: string
  readonly document_from?: string
  readonly variables_from?: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly keep_nulls?: boolean
}

/** Compiles a document and its variables, and checks that they fit each other. */
export function compileOperation(
  source: OperationSource,
  schema: SchemaSource,
  compiler: SectionCompiler,
): Operation {
  if (source.document_from !== undefined) {
    return compileCallersQuery(source, source.document_from, compiler)
  }
  const document = compileDocument(source.document ?? '', schema, compiler, ['document'])
  const declared = source.variables ?? {}
  const variables = Object.entries(declared).map(
    ([name, value]) => [name, compiler.tree(value, ['variables', name])] as const,
  )
  if (document) checkVariables(document, Object.keys(declared), compiler)
  const text = document?.text ?? ''
  const start = `{"query":${JSON.stringify(text)},"variables":`
  const evaluate = source.keep_nulls ? evaluateAll : evaluateGiven
  const isMutation = document?.operation === 'mutation'
  let mergeable: Mergeable | null | undefined
  return {
    isMutation,
    isCallersDocument: false,
    body: scope => `${start}${JSON.stringify(evaluate(variables, scope))}}`,
    mergeable() {
      // Compiled by the first batch that needs it, because most operations are never batched.
      if (mergeable === undefined) mergeable = isMutation ? null : compileMergeable(text)
      return mergeable
    },
  }
}

/**
 * Compiles an operation whose query comes from the caller. The input schema already rejects anything but
 * a query (format `graphql-query`); checking again here makes sure that no card forgets to.
 */
function compileCallersQuery(
  { document, variables, variables_from }: OperationSource,
  document_from: string,
  compiler: SectionCompiler,
): Operation {
  if (document !== undefined || variables !== undefined) {
    const fix = 'Remove document and variables, or document_from.'
    compiler.problem(['document_from'], 'cannot be combined with document or variables', fix)
  }
  const queryOf = compiler.expression(document_from, ['document_from'])
  const variablesOf =
    variables_from === undefined ? null : compiler.expression(variables_from, ['variables_from'])
  const readQuery = (scope: ExpressionScope): string => {
    const query = queryOf(scope)
    if (typeof query === 'string' && isGraphqlQuery(query)) return query
    throw new ExpressionError(`${document_from} is not a GraphQL query`)
  }
  return {
    isMutation: false,
    isCallersDocument: true,
    body: scope =>
      JSON.stringify({ query: readQuery(scope), variables: variablesOf?.(scope) ?? {} }),
    mergeable: scope => compileMergeable(readQuery(scope)),
  }
}

function checkVariables(
  { variables, required }: CompiledDocument,
  given: readonly string[],
  compiler: SectionCompiler,
): void {
  for (const name of given) {
    if (variables.has(name)) continue
    compiler.problem(
      ['variables', name],
      'is not declared by the document',
      `Add $${name} to the operation, or remove the variable.`,
    )
  }
  for (const name of required) {
    if (given.includes(name)) continue
    compiler.problem(
      ['document'],
      `needs $${name}, which is missing in variables`,
      `Add ${name} to variables.`,
    )
  }
}

type Variables = readonly (readonly [string, ExpressionTree])[]

function evaluateAll(variables: Variables, scope: ExpressionScope): Record<string, unknown> {
  return Object.fromEntries(variables.map(([name, tree]) => [name, tree(scope)]))
}

/** Leaves out null variables, and the null members of input objects. */
function evaluateGiven(variables: Variables, scope: ExpressionScope): Record<string, unknown> {
  const given: [string, unknown][] = []
  for (const [name, tree] of variables) {
    const value = tree(scope)
    if (value !== null && value !== undefined) given.push([name, withoutNulls(value)])
  }
  return Object.fromEntries(given)
}
