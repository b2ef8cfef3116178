import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** A body of a control endpoint that cannot be read; the message says where and why. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem'
  /** What Fastify answers with. */
  readonly statusCode = 400
}

/**
 * Fastify's own validator would do, but a single route with a schema makes each sandbox build one,
 * which takes longer than all the rest of its start.
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
