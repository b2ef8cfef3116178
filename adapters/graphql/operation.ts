import { ExpressionError } from '../../src/expressions/expression.ts'
import { isGraphqlQuery } from '../../src/lib/graphql-query.ts'
import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { ExpressionTree } from '../../src/model/expression.ts'
import { withoutNulls } from '../http/wire/given.ts'
import { type CompiledDocument, compileDocument, type SchemaSource } from './document.ts'
import { compileMergeable, type Mergeable } from './merge.ts'

type Scope = Readonly<Record<string, unknown>>

/** One operation of a card, ready to be sent. */
export interface Operation {
  readonly isMutation: boolean
  /** The document is the caller's: what is wrong with it is for the caller to put right. */
  readonly isCallers: boolean
  /** The JSON body of the request. */
  body(scope: Scope): string
  /** For one request with others. Null when it has to go by itself: changes always do. */
  mergeable(scope: Scope): Mergeable | null
}

export interface OperationSource {
  readonly document?: string
  readonly document_from?: string
  readonly variables_from?: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly keep_nulls?: boolean
}

/** Compiles a document and its variables; they must fit each other. */
export function compileOperation(
  source: OperationSource,
  schema: SchemaSource,
  compiler: SectionCompiler,
): Operation {
  if (source.document_from !== undefined) {
    return compileCallersQuery(source, source.document_from, compiler)
  }
  const document = compileDocument(source.document ?? '', schema, compiler, ['document'])
  const variables = Object.entries(source.variables ?? {}).map(
    ([name, value]) => [name, compiler.tree(value, ['variables', name])] as const,
  )
  if (document) checkVariables(document, Object.keys(source.variables ?? {}), compiler)
  if (document?.operation === 'mutation' && compiler.effect === 'read') {
    compiler.problem(
      ['document'],
      'is a mutation, but only reads are made here',
      'Correct effect, or the document.',
    )
  }
  const start = `{"query":${JSON.stringify(document?.text ?? '')},"variables":`
  const values = source.keep_nulls ? allOf : givenOf
  const isMutation = document?.operation === 'mutation'
  let mergeable: Mergeable | null | undefined
  return {
    isMutation,
    isCallers: false,
    body: scope => `${start}${JSON.stringify(values(variables, scope))}}`,
    mergeable() {
      // Few operations ever come in a batch, so it is prepared by the first that does.
      if (mergeable === undefined)
        mergeable = isMutation ? null : compileMergeable(document?.text ?? '')
      return mergeable
    },
  }
}

/** The input schema has refused what is no query (format `graphql-query`); this is the second lock. */
function compileCallersQuery(
  { document, variables, variables_from }: OperationSource,
  document_from: string,
  compiler: SectionCompiler,
): Operation {
  if (document !== undefined || variables !== undefined) {
    const fix = 'Remove document and variables, or document_from.'
    compiler.problem(['document_from'], 'stands beside document or variables', fix)
  }
  const queryOf = compiler.expression(document_from, ['document_from'])
  const variablesOf =
    variables_from === undefined ? null : compiler.expression(variables_from, ['variables_from'])
  const readQuery = (scope: Scope): string => {
    const query = queryOf(scope)
    if (typeof query === 'string' && isGraphqlQuery(query)) return query
    throw new ExpressionError(`${document_from} gives no GraphQL query`)
  }
  return {
    isMutation: false,
    isCallers: true,
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
      `needs $${name}, which variables lacks`,
      `Add ${name} to variables.`,
    )
  }
}

type Variables = readonly (readonly [string, ExpressionTree])[]

function allOf(variables: Variables, scope: Scope): Record<string, unknown> {
  return Object.fromEntries(variables.map(([name, tree]) => [name, tree(scope)]))
}

/** Without null variables, and without null members of the input objects among them. */
function givenOf(variables: Variables, scope: Scope): Record<string, unknown> {
  const given: [string, unknown][] = []
  for (const [name, tree] of variables) {
    const value = tree(scope)
    if (value !== null && value !== undefined) given.push([name, withoutNulls(value)])
  }
  return Object.fromEntries(given)
}
