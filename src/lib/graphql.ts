import { createRequire } from 'node:module'
import type * as graphql from 'graphql'

/** The parts of graphql-js that a start needs. Loading all of it would take several times as long. */
export { GraphQLError } from 'graphql/error/GraphQLError.js'
export {
  type DocumentNode,
  type FragmentDefinitionNode,
  type NameNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type VariableDefinitionNode,
} from 'graphql/language/ast.js'
export { Kind } from 'graphql/language/kinds.js'
export { parse } from 'graphql/language/parser.js'
export { print } from 'graphql/language/printer.js'
export { visit } from 'graphql/language/visitor.js'
export type { GraphQLSchema } from 'graphql/type/schema.js'
export { stripIgnoredCharacters } from 'graphql/utilities/stripIgnoredCharacters.js'

/** All of graphql-js, for those who check documents against a schema. */
export function wholeGraphql(): typeof graphql {
  return createRequire(import.meta.url)('graphql') as typeof graphql
}
