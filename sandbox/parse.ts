import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** The body of a control request is invalid. The message says where and why. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem'
  /** The HTTP status that Fastify answers with. */
  readonly statusCode = 400
}

/**
 * Checks a value against a schema. Fastify's own validator is not used: a single route with a
 * schema makes every sandbox build one, which takes longer than the rest of its start.
 */
export function parseAs<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  where: string,
): Static<Schema> {
  const problem = Value.Errors(schema, value).First()
  if (problem) {
    throw new SyntaxProblem(`${where}${problem.path.replaceAll('/', '.')}: ${problem.message}.`)
  }
  return value as Static<Schema>
}
