import {
  buildASTSchema,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  stripIgnoredCharacters,
  validate,
} from 'graphql'
import type { SectionCompiler } from '../../src/model/adapter.ts'

type KeyPath = readonly (string | number)[]

/** A document that may be sent. */
export interface CompiledDocument {
  /** Without comments and superfluous blanks. */
  readonly text: string
  readonly operation: 'query' | 'mutation'
  /** Variables that the operation declares. */
  readonly variables: ReadonlySet<string>
  /** Those of them that have no default and may not be null. */
  readonly required: ReadonlySet<string>
}

export type SchemaSource = () => GraphQLSchema | null

/**
 * Parses a card's document and checks it against the upstream's schema where there is one. Faults are
 * reported to the compiler; null then.
 */
export function compileDocument(
  text: string,
  schema: SchemaSource,
  compiler: SectionCompiler,
  path: KeyPath,
): CompiledDocument | null {
  const document = parseDocument(text, compiler, path)
  const operation = document && singleOperation(document, compiler, path)
  if (!document || !operation) return null
  const known = compiler.proven ? null : schema()
  for (const error of known ? faults(known, document) : []) {
    compiler.problem(
      path,
      describe(error),
      'Correct the document; the schema of the upstream does not know this.',
    )
  }
  const variables = operation.variableDefinitions ?? []
  return {
    text: stripIgnoredCharacters(text),
    operation: operation.operation === 'mutation' ? 'mutation' : 'query',
    variables: new Set(variables.map(nameOf)),
    required: new Set(
      variables
        .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue)
        .map(nameOf),
    ),
  }
}

/**
 * Builds the schema on first use, once. The SDLs that services publish have small faults of their own,
 * so it is taken as valid.
 */
export function lazySchema(readSdl: () => string): SchemaSource {
  let schema: GraphQLSchema | null = null
  return () => {
    schema ??= buildASTSchema(parse(withoutDescriptions(readSdl()), { noLocation: true }), {
      assumeValid: true,
      assumeValidSDL: true,
    })
    return schema
  }
}

/** Most of a published schema is prose; without it, parsing takes a fifth of the time. */
function withoutDescriptions(sdl: string): string {
  return sdl.replaceAll(/^\s*"""[\s\S]*?"""\s*$/gm, '')
}

function parseDocument(
  text: string,
  compiler: SectionCompiler,
  path: KeyPath,
): DocumentNode | null {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    compiler.problem(path, describe(error), 'Correct the GraphQL document.')
    return null
  }
}

function singleOperation(
  document: DocumentNode,
  compiler: SectionCompiler,
  path: KeyPath,
): OperationDefinitionNode | null {
  const operations = document.definitions.filter(
    definition => definition.kind === Kind.OPERATION_DEFINITION,
  )
  const [operation, second] = operations
  if (operation && !second && operation.operation !== 'subscription') {
    if (operation.operation === 'mutation' && compiler.effect === 'read') {
      compiler.problem(
        path,
        'is a mutation, but the card is a read',
        'Correct effect, or the document.',
      )
    }
    return operation
  }
  compiler.problem(
    path,
    'must hold one query or mutation',
    'Keep one operation, and its fragments.',
  )
  return null
}

/** Servers accept fields of one name with types that differ in nullability; graphql-js alone does not. */
const TOLERATED = /return conflicting types/

function faults(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  return validate(schema, document).filter(({ message }) => !TOLERATED.test(message))
}

function describe({ message, locations }: GraphQLError): string {
  const [at] = locations ?? []
  return at ? `line ${at.line} of the document: ${message}` : message
}

function nameOf({
  variable,
}: {
  readonly variable: { readonly name: { readonly value: string } }
}) {
  return variable.name.value
}
