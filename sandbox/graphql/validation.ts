import { type DocumentNode, GraphQLError, validate } from 'graphql'
import { loadSchema } from './schema.ts'

/** Validates a document against the official schema. Errors that clients parse get GitHub's wording. */
export function validateDocument(document: DocumentNode): GraphQLError[] {
  return validate(loadSchema(), document).filter(isEnforced).map(asGitHubError)
}

/**
 * `gh issue view` asks for `state` of both an issue and a pull request under one name. Their enum
 * types differ. The GraphQL specification forbids this, but GitHub accepts it.
 */
function isEnforced(error: GraphQLError): boolean {
  return !error.message.includes('return conflicting types')
}

interface Translation {
  pattern: RegExp
  message: (...found: string[]) => string
  extensions: (...found: string[]) => Record<string, unknown>
}

/** GitHub uses graphql-ruby. Its messages differ and carry a machine-readable code. */
const translations: Translation[] = [
  {
    pattern: /^Cannot query field "(\w+)" on type "(\w+)"/,
    message: (fieldName, typeName) => `Field '${fieldName}' doesn't exist on type '${typeName}'`,
    extensions: (fieldName, typeName) => ({ code: 'undefinedField', typeName, fieldName }),
  },
  {
    pattern: /^Field "(\w+)" argument "(\w+)" of type "[^"]+" is required/,
    message: (name, argument) => `Field '${name}' is missing required arguments: ${argument}`,
    extensions: (name, argument) => ({
      code: 'missingRequiredArguments',
      className: 'Field',
      name,
      arguments: argument,
    }),
  },
]

function asGitHubError(error: GraphQLError): GraphQLError {
  for (const { pattern, message, extensions } of translations) {
    const [whole, ...found] = pattern.exec(error.message) ?? []
    if (whole === undefined) continue
    return new GraphQLError(message(...found), {
      extensions: extensions(...found),
      ...(error.nodes && { nodes: error.nodes }),
    })
  }
  return error
}
