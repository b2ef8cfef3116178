import { Ajv, type Options } from 'ajv'
import addFormats, { type FormatName } from 'ajv-formats'
import { isBase64 } from '../lib/base64.ts'
import { isGraphqlQuery } from '../lib/graphql-query.ts'
import { isUsualAddress, isUsualTime } from './usual-formats.ts'

/** A validator that knows the keywords and formats of cards. */
export function createAjv(options: Options): Ajv {
  const ajv = new Ajv({ allowUnionTypes: true, ...options })
  addFormats.default(ajv, { mode: 'full' })
  quicken(ajv, 'date-time', isUsualTime)
  quicken(ajv, 'uri', isUsualAddress)
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

/** Lets the library judge only the texts that do not have the usual form of a format. */
function quicken(ajv: Ajv, name: FormatName, isUsual: (text: string) => boolean): void {
  const known = addFormats.default.get(name) as Judge | { readonly validate: Judge }
  const definition = typeof known === 'function' ? { validate: known } : known
  const validate = (text: string) => isUsual(text) || definition.validate(text)
  ajv.addFormat(name, { ...definition, validate })
}

type Judge = (text: string) => boolean
