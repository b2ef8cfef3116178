import type { AnySchemaObject, ValidateFunction } from 'ajv'
import type { JsonSchema } from '../model/card.ts'
import { createAjv } from './ajv.ts'

// Nothing runs the compiled code, so optimizing it is wasted work.
const strict = createAjv({ strict: true, strictRequired: false, code: { optimize: false } })

/**
 * Finds the faults that make a schema unusable, such as an unknown keyword. A thorough check finds keywords without effect
 * too, but takes as long as compiling: seconds for a thousand cards.
 * @throws when the schema has a fault.
 */
export function checkSchema(schema: JsonSchema, isThorough: boolean): void {
  if (isThorough || hasReferences(schema) || !hasUsableKeywords(schema)) strict.compile(schema)
}

/** Only the compiler knows whether there is something under the name. */
function hasReferences(schema: JsonSchema): boolean {
  return /"\$(?:ref|id|schema)":/.test(JSON.stringify(schema))
}

let usableKeywords: ValidateFunction | null = null

function hasUsableKeywords(schema: JsonSchema): boolean {
  usableKeywords ??= createAjv({ strict: false }).compile(closedMetaSchema())
  return usableKeywords(schema) === true
}

const META_SCHEMA = 'http://json-schema.org/draft-07/schema'
/** Keywords that a validator ignores. */
const ANNOTATIONS = ['$schema', '$comment', 'title', 'description', 'default', 'examples']

/** The meta-schema, closed to the keywords and formats that the compiler refuses. */
function closedMetaSchema(): AnySchemaObject {
  const meta = structuredClone(strict.getSchema(META_SCHEMA)?.schema) as AnySchemaObject
  const { all, keywords } = strict.RULES
  const known = [...Object.keys(all), ...Object.keys(keywords), ...ANNOTATIONS]
  const format = { enum: Object.keys(strict.formats) }
  return {
    ...meta,
    $id: 'schema-of-a-card',
    properties: { ...(meta.properties as object), format },
    propertyNames: { enum: [...new Set(known)] },
    dependencies: { nullable: ['type'] },
  }
}
