import { isObject } from '../../src/lib/is-object.ts'
import { checkText } from '../../src/lib/percent-encoding.ts'
import { singleText, ValueError } from '../../src/lib/value-error.ts'
import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { ExpressionScope, ExpressionTree } from '../../src/model/expression.ts'
import { isMediaType } from '../http/wire/media-type.ts'
import { encodeMultipart, type MultipartFile, type MultipartPart } from '../http/wire/multipart.ts'
import type { Body } from './body.ts'
import { bytesOf, isMissing, membersOf } from './body-values.ts'
import type { RestCardSection } from './schema.ts'

/** Compiles a `multipart/form-data` body: the members of `body` are fields, those of `files` are files. */
export function compileMultipart(
  { files = {}, body }: RestCardSection,
  fields: ExpressionTree,
  compiler: SectionCompiler,
): (scope: ExpressionScope) => Promise<Body | null> {
  const own = Object.entries(files).map(([name, source]) => {
    checkFile(name, source, compiler)
    if (isObject(body) && Object.hasOwn(body, name)) {
      compiler.problem(['files', name], 'is also a member of body', 'Remove one of the two.')
    }
    return [name, compiler.tree(source, ['files', name])] as const
  })
  return async scope => {
    const members = fields(scope)
    if (isMissing(members) && own.length === 0) return null
    const texts = Object.entries(membersOf(members ?? {})).flatMap(fieldParts)
    const parts = own.flatMap(([name, tree]) => fileParts(name, tree(scope)))
    return await encodeMultipart([...texts, ...parts])
  }
}

function checkFile(name: string, source: unknown, compiler: SectionCompiler): void {
  if (!isObject(source) || Object.hasOwn(source, 'base64') !== Object.hasOwn(source, 'text')) return
  const message = 'needs either base64 or text'
  compiler.problem(['files', name], message, 'Give one of them an expression for the content.')
}

/** A list gives several fields of one name, an object the text of its JSON. */
function fieldParts([name, value]: readonly [string, unknown]): MultipartPart[] {
  if (Array.isArray(value)) return value.flatMap(item => fieldParts([name, item]))
  if (isMissing(value)) return []
  const text = isObject(value) ? JSON.stringify(value) : singleText(name, value)
  if (!text.isWellFormed()) throw new ValueError(name, text, 'is not well-formed Unicode')
  return [{ name, text }]
}

function fileParts(name: string, value: unknown): MultipartPart[] {
  if (Array.isArray(value)) return value.flatMap(item => fileParts(name, item))
  if (isMissing(value)) return []
  if (!isObject(value)) throw noFile(name, value)
  const file = fileOf(name, value)
  return file === null ? [] : [{ name, file }]
}

/** Null if there is no content to send. */
function fileOf(
  name: string,
  { base64, text, filename, media_type, ...others }: Record<string, unknown>,
): MultipartFile | null {
  if (Object.keys(others).length > 0) throw noFile(name, others)
  const bytes = isMissing(base64) ? textBytes(name, text) : bytesOf(name, base64)
  if (bytes === null) return null
  return {
    bytes,
    filename: filenameOf(name, filename ?? name),
    mediaType: mediaTypeOf(name, media_type ?? 'application/octet-stream'),
  }
}

function noFile(name: string, value: unknown): ValueError {
  const fault =
    'must be a file: an object with base64 or text, and optionally filename and media_type'
  return new ValueError(name, value, fault)
}

function textBytes(name: string, text: unknown): Buffer<ArrayBuffer> | null {
  if (isMissing(text)) return null
  return Buffer.from(singleText(name, text))
}

function filenameOf(name: string, value: unknown): string {
  const text = singleText(name, value)
  checkText(name, text)
  return text
}

function mediaTypeOf(name: string, value: unknown): string {
  if (typeof value === 'string' && isMediaType(value)) return value
  throw new ValueError(name, value, 'has a media_type that is none, such as image/png')
}
