import { type DocumentNode, GraphQLError, validate } from 'graphql'
import { loadSchema } from './schema.ts'

/** Checks a document against the official schema, in GitHub's words where clients look at them. */
export function validateDocument(document: DocumentNode): GraphQLError[] {
  return validate(loadSchema(), document).filter(isEnforced).map(inGitHubsWords)
}

/**
 * `gh issue view` asks for `state` on both an issue and a pull request under one name. Their enum
 * types differ, which the GraphQL specification forbids and GitHub accepts.
 */
function isEnforced(error: GraphQLError): boolean {
  return !error.message.includes('return conflicting types')
}

interface Translation {
  pattern: RegExp
  message: (...found: string[]) => string
  extensions: (...found: string[]) => Record<string, unknown>
}

/** GitHub runs graphql-ruby, whose messages differ and carry a machine code. */
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

function inGitHubsWords(error: GraphQLError): GraphQLError {
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
