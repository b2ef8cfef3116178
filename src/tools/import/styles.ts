import type { JsonSchema } from '../../model/card.ts'
import { type Json, textOf } from './references.ts'

/** How a parameter is written: OpenAPI's `style`, `explode` and `content`, and the schema of the value. */
export interface Styled {
  readonly source: Json
  readonly schema: JsonSchema
}

const QUERY_STYLES: Readonly<Record<string, string>> = {
  form: 'comma',
  spaceDelimited: 'space',
  pipeDelimited: 'pipe',
}

/** The style of a query parameter, or of a member of a form, in a card; null for plain values and repeated lists. */
export function queryStyle({ source, schema }: Styled): string | null {
  if (source.content !== undefined) return 'json'
  if (!isMany(schema)) return null
  const style = textOf(source.style) ?? 'form'
  if (style === 'deepObject') return 'brackets'
  // Only `form` is exploded unless the document says otherwise (OpenAPI, Parameter Object).
  const isExploded = source.explode === undefined ? style === 'form' : source.explode === true
  if (!isExploded) return QUERY_STYLES[style] ?? 'comma'
  return allowsObject(schema) ? 'members' : null
}

/** The style of a header, or of a cookie, in a card; null for plain values. */
export function headerStyle({ source, schema }: Styled): string | null {
  if (source.content !== undefined) return 'json'
  if (!isMany(schema)) return null
  return source.explode === true && allowsObject(schema) ? 'members' : 'comma'
}

const OPERATORS: Readonly<Record<string, string>> = { label: '.', matrix: ';' }

/** The variable of a path template (RFC 6570) that writes the member `name`; null if none can. */
export function pathVariable({ source, schema }: Styled, name: string): string | null {
  const operator = OPERATORS[textOf(source.style) ?? ''] ?? ''
  const isExploded = source.explode === true
  if (operator === '' && !isMany(schema)) return `{${name}}`
  if (operator === '' && !isExploded && allowsObject(schema)) return null
  return `{${operator}${name}${isExploded || operator === '' ? '*' : ''}}`
}

/** True if a value of the schema may be a list or an object. */
export function isMany(schema: JsonSchema): boolean {
  return typesIn(schema, 0).some(type => type === 'array' || type === 'object' || type === 'any')
}

/** True if a value of the schema may be an object. */
export function allowsObject(schema: JsonSchema): boolean {
  return typesIn(schema, 0).some(type => type === 'object' || type === 'any')
}

/** The types that a value may have, whichever alternative it fits. */
function typesIn(schema: JsonSchema, depth: number): unknown[] {
  const { type, properties, enum: values, const: value } = schema
  if (type !== undefined) return [type].flat()
  if (properties !== undefined) return ['object']
  if (values !== undefined || value !== undefined) return ['string']
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray)
  if (!parts || depth > 5) return ['any']
  return (parts as JsonSchema[]).flatMap(part => typesIn(part, depth + 1))
}
