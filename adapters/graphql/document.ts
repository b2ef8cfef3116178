import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  stripIgnoredCharacters,
  wholeGraphql,
} from '../../src/lib/graphql.ts'
import type { SectionCompiler } from '../../src/model/adapter.ts'

type KeyPath = readonly (string | number)[]

/** A document that was checked and can be sent. */
export interface CompiledDocument {
  /** The document without comments and unneeded whitespace. */
  readonly text: string
  readonly operation: 'query' | 'mutation'
  /** Names of the variables that the operation declares. */
  readonly variables: ReadonlySet<string>
  /** Names of the variables that are non-null and have no default. */
  readonly required: ReadonlySet<string>
}

export type SchemaSource = () => GraphQLSchema | null

/**
 * Parses a card's document and checks it against the upstream's schema, if there is one. Reports faults
 * to the compiler. Returns null if the document cannot be parsed or is not a single operation.
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
      describeFault(error),
      "Correct the document; it does not match the upstream's schema.",
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

/** Does not validate the schema, because the SDLs that services publish have small faults of their own. */
export function buildSchema(sdl: string): GraphQLSchema {
  return wholeGraphql().buildASTSchema(parse(withoutDescriptions(sdl), { noLocation: true }), {
    assumeValid: true,
    assumeValidSDL: true,
  })
}

/** Most of a published schema is descriptions; without them, parsing takes a fifth of the time. */
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
    compiler.problem(path, describeFault(error), 'Correct the GraphQL document.')
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
    'must contain one query or mutation',
    'Keep one operation and its fragments.',
  )
  return null
}

/** Only graphql-js rejects fields of one name whose types differ in nullability; servers accept them. */
const TOLERATED = /return conflicting types/

function faults(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const errors = wholeGraphql().validate(schema, document)
  return errors.filter(({ message }) => !TOLERATED.test(message))
}

function describeFault({ message, locations }: GraphQLError): string {
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
