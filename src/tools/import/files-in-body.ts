import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import { deref, type Json, listOf, objectMembers } from './references.ts'

/** The input of a file: its content in Base64 or as text, and its name and media type. */
export const FILE_SCHEMA: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    base64: { type: 'string', description: 'The content in Base64.' },
    text: { type: 'string', description: 'The content, if it is a text.' },
    filename: { type: 'string' },
    media_type: { type: 'string' },
  },
  oneOf: [
    { type: 'object', required: ['base64'] },
    { type: 'object', required: ['text'] },
  ],
}

/** The members of a multipart body that are files, by name, and whether they are lists of files. */
export function fileMembers(schema: unknown, document: Json): ReadonlyMap<string, boolean> {
  const whole = deref(document, schema)
  const files = new Map<string, boolean>()
  for (const part of listOf(whole.allOf)) {
    for (const [name, isList] of fileMembers(part, document)) files.set(name, isList)
  }
  for (const [name, member] of objectMembers(whole.properties)) {
    const own = deref(document, member)
    if (isFile(own)) files.set(name, false)
    if (own.type === 'array' && isFile(deref(document, own.items))) files.set(name, true)
  }
  return files
}

/** `format: binary` in OpenAPI 3.0, `contentMediaType` or no schema at all in 3.1. */
function isFile({ type, format, contentMediaType, contentEncoding, anyOf, oneOf }: Json): boolean {
  const parts = [...listOf(anyOf), ...listOf(oneOf)].filter(isObject)
  if (parts.length > 0) return parts.every(part => isFile(part) || part.type === 'null')
  if (format === 'binary') return true
  return type === 'string' && contentMediaType !== undefined && contentEncoding === undefined
}
