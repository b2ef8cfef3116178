import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import { deref, type Json, listOf, objectMembers } from './references.ts'

/** The input of a file: its content in Base64 or as text, and its name and media type. */
const FILE_SCHEMA: JsonSchema = {
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

export interface FileMember {
  readonly isList: boolean
  /** The media types that the document names, such as `image/png`; null without one. */
  readonly mediaType: string | null
}

/** The members of a multipart body that are files, by name. `encoding` is that of its media type. */
export function fileMembers(
  schema: unknown,
  encoding: unknown,
  document: Json,
): ReadonlyMap<string, FileMember> {
  const whole = deref(document, schema)
  const files = new Map<string, FileMember>()
  for (const part of listOf(whole.allOf)) {
    for (const [name, file] of fileMembers(part, encoding, document)) files.set(name, file)
  }
  for (const [name, member] of objectMembers(whole.properties)) {
    const own = deref(document, member)
    const isList = own.type === 'array'
    const file = isList ? deref(document, own.items) : own
    const declared = isObject(encoding) ? encoding[name] : null
    if (isFile(file)) files.set(name, { isList, mediaType: mediaTypeOf(file, declared) })
  }
  return files
}

function mediaTypeOf({ contentMediaType }: Json, encoding: unknown): string | null {
  const { contentType = contentMediaType } = isObject(encoding) ? encoding : {}
  const isTelling = typeof contentType === 'string' && contentType !== 'application/octet-stream'
  return isTelling ? contentType : null
}

/** The input of a file. Several media types, or a range such as an image of any type, leave the choice to the caller. */
export function fileSchema({ isList, mediaType }: FileMember): JsonSchema {
  const isOne = mediaType !== null && /^[\w.+-]+\/[\w.+-]+$/.test(mediaType)
  const known = isOne ? { default: mediaType } : { description: `Such as ${mediaType}.` }
  const properties = {
    ...(FILE_SCHEMA.properties as object),
    media_type: { type: 'string', ...(mediaType === null ? {} : known) },
  }
  const file = { ...FILE_SCHEMA, properties }
  return isList ? { type: 'array', items: file } : file
}

/** `format: binary` in OpenAPI 3.0, `contentMediaType` or no schema at all in 3.1. */
function isFile({ type, format, contentMediaType, contentEncoding, anyOf, oneOf }: Json): boolean {
  const parts = [...listOf(anyOf), ...listOf(oneOf)].filter(isObject)
  if (parts.length > 0) return parts.every(part => isFile(part) || part.type === 'null')
  if (format === 'binary') return true
  return type === 'string' && contentMediaType !== undefined && contentEncoding === undefined
}
