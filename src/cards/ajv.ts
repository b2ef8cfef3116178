import { Ajv, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import { isGraphqlQuery } from '../lib/graphql-query.ts'

/** A validator that knows the keywords and formats of cards. */
export function createAjv(options: Options): Ajv {
  const ajv = new Ajv({ allowUnionTypes: true, ...options })
  addFormats.default(ajv, { mode: 'full' })
  ajv.addFormat('graphql-query', isGraphqlQuery)
  ajv.addKeyword('example')
  return ajv
}
