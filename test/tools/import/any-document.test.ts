import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileInput, compileOutput } from '../../../src/cards/validate.ts'
import { NotExpressible } from '../../../src/tools/import/offer.ts'
import { readOpenApi } from '../../../src/tools/import/openapi.ts'

/** Of the kinds that schemas hold, and of those that they should not. */
const value = fc.oneof(
  fc.constantFrom('object', 'array', 'string', 'integer', 'null', 'file', 'date-time', '(?i)', ''),
  fc.constantFrom('#/components/schemas/A', '#/components/schemas/B', 'other.yaml#/A'),
  fc.constantFrom(true, false, null, 0, 1, -1, 5),
  fc.jsonValue({ maxDepth: 1 }),
)
const KEYWORDS =
  'type enum const properties required items additionalProperties not allOf anyOf oneOf nullable minimum ' +
  'exclusiveMinimum minLength pattern format $ref description example default readOnly prefixItems contains'
const keyword = fc.constantFrom(...KEYWORDS.split(' '))
const name = fc.constantFrom('a', 'b', '__proto__', 'toString', 'let', 'x-y')
const { schema } = fc.letrec(tie => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    value,
    fc.dictionary(
      keyword,
      fc.oneof(
        value,
        tie('schema'),
        fc.array(tie('schema'), { maxLength: 3 }),
        fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
      ),
      { maxKeys: 5 },
    ),
  ),
}))
const parameter = fc.dictionary(
  fc.constantFrom('name', 'in', 'required', 'schema', 'style', 'explode', 'content', 'description'),
  fc.oneof(fc.constantFrom('query', 'path', 'header', 'cookie', 'x', 'a-b', 'deepObject'), schema),
)
const method = fc.constantFrom('get', 'head', 'post', 'put', 'patch', 'delete')

test('whatever a document holds, its cards can be used, or it is said why there is none', () => {
  const documents = fc.record({ A: schema, B: schema, own: schema, parameter, method })
  fc.assert(
    fc.property(documents, ({ A, B, own, parameter: given, method: name_ }) => {
      const json = (of: unknown) => ({ content: { 'application/json': { schema: of } } })
      const operation = {
        parameters: [given, { name: 'x', in: 'path', schema: own }],
        requestBody: { required: true, ...json(A) },
        responses: { 200: json(B) },
      }
      const paths = { '/things/{x}': { [name_]: operation } }
      const document = { openapi: '3.1.0', paths, components: { schemas: { A, B } } }
      for (const offer of readOpenApi(document).offers) {
        try {
          const { input, output } = offer.draft()
          compileInput('x', input)
          compileOutput(output)
        } catch (error) {
          expect(error).toBeInstanceOf(NotExpressible)
        }
      }
    }),
    { numRuns: 300 },
  )
})
