import { Ajv, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import { isBase64 } from '../lib/base64.ts'
import { isGraphqlQuery } from '../lib/graphql-query.ts'

/** A validator that knows the keywords and formats of cards. */
export function createAjv(options: Options): Ajv {
  const ajv = new Ajv({ allowUnionTypes: true, ...options })
  addFormats.default(ajv, { mode: 'full' })
  ajv.addFormat('graphql-query', isGraphqlQuery)
  // The regular expression of ajv-formats overflows the stack on a text of some megabytes.
  ajv.addFormat('byte', isBase64)
  ajv.addKeyword('example')
  // Ajv knows this keyword by its older name only.
  ajv.addKeyword({
    keyword: 'dependentRequired',
    type: 'object',
    schemaType: 'object',
    macro: (dependencies: object) => ({ dependencies }),
  })
  return ajv
}
