import { Ajv, type Options, type SchemaValidateFunction } from 'ajv'
import addFormats, { type FormatName } from 'ajv-formats'
import { isBase64 } from '../lib/base64.ts'
import { canonicalJson } from '../lib/canonical.ts'
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
  quickenUniqueItems(ajv)
  // Ajv knows this keyword by its older name only.
  ajv.addKeyword({
    keyword: 'dependentRequired',
    type: 'object',
    schemaType: 'object',
    macro: (dependencies: object) => ({ dependencies }),
  })
  return ajv
}

/** The library compares each object of a list with every other: seconds for some thousands. */
function quickenUniqueItems(ajv: Ajv): void {
  ajv.removeKeyword('uniqueItems')
  const validate: SchemaValidateFunction = (isAsked: boolean, list: readonly unknown[]) => {
    const params = isAsked ? repeatedItem(list) : null
    if (params === null) return true
    const { i, j } = params
    const message = `must NOT have duplicate items (items ## ${j} and ${i} are identical)`
    validate.errors = [{ keyword: 'uniqueItems', params, message }]
    return false
  }
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: true,
    validate,
  })
}

/** The places of an item and of an earlier one that equals it; null if there are none. */
function repeatedItem(list: readonly unknown[]): { readonly i: number; readonly j: number } | null {
  const places = new Map<string, number>()
  for (const [i, item] of list.entries()) {
    const text = canonicalJson(item)
    const j = places.get(text)
    if (j !== undefined) return { i, j }
    places.set(text, i)
  }
  return null
}

/** Lets the library judge only the texts that do not have the usual form of a format. */
function quicken(ajv: Ajv, name: FormatName, isUsual: (text: string) => boolean): void {
  const known = addFormats.default.get(name) as Judge | { readonly validate: Judge }
  const definition = typeof known === 'function' ? { validate: known } : known
  const validate = (text: string) => isUsual(text) || definition.validate(text)
  ajv.addFormat(name, { ...definition, validate })
}

type Judge = (text: string) => boolean
