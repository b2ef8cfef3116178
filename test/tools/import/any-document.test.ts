import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkSchema } from '../../../src/cards/check-schema.ts'
import { NotExpressible } from '../../../src/tools/import/errors.ts'
import { readOpenApi } from '../../../src/tools/import/openapi.ts'

/** Values that schemas contain, and some that they should not contain. */
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

test('any document gives valid cards, or a reason why an operation has none', () => {
  const documents = fc.record({ A: schema, B: schema, own: schema, parameter, method })
  fc.assert(
    fc.property(documents, ({ A, B, own, parameter: given, method: name_ }) => {
      const json = (of: unknown) => ({ content: { 'application/json': { schema: of } } })
      const described = {
        parameters: [given, { name: 'x', in: 'path', schema: own }],
        requestBody: { required: true, ...json(A) },
        responses: { 200: json(B) },
      }
      const paths = { '/things/{x}': { [name_]: described } }
      const document = { openapi: '3.1.0', paths, components: { schemas: { A, B } } }
      for (const operation of readOpenApi(document).operations) {
        try {
          const { input, output } = operation.draft()
          checkSchema(input, true)
          checkSchema(output, true)
        } catch (error) {
          expect(error).toBeInstanceOf(NotExpressible)
        }
      }
    }),
    { numRuns: 1000 },
  )
})
