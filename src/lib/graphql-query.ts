import { Kind, parse } from './graphql.ts'

const MOST_TOKENS = 10_000

/** Whether a text is exactly one GraphQL query with its fragments, which can change nothing. */
export function isGraphqlQuery(text: string): boolean {
  try {
    const { definitions } = parse(text, { noLocation: true, maxTokens: MOST_TOKENS })
    const operations = definitions.flatMap(it =>
      it.kind === Kind.OPERATION_DEFINITION ? [it.operation] : [],
    )
    return operations.length === 1 && operations[0] === 'query'
  } catch {
    return false
  }
}
