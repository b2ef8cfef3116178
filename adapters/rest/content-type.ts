import { ValueError } from '../../src/lib/value-error.ts'
import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { ExpressionScope } from '../../src/model/expression.ts'
import { essenceOf, isJsonType, isMediaType } from '../http/wire/media-type.ts'
import type { Encoding } from './request-schema.ts'
import type { RestCardSection } from './schema.ts'

const DEFAULTS = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  text: 'text/plain; charset=utf-8',
  binary: 'application/octet-stream',
} as const satisfies Record<Encoding, string>

const HEADER = 'content-type'
/** An expression that is nothing but a text. */
const LITERAL = /^'([^'\\]*)'$/

/** Returns the media type of a body for one call. */
export type ContentType = (scope: ExpressionScope) => string

/** Reads the media type that a card declares, and reports one that contradicts how the body is encoded. */
export function compileContentType(
  section: RestCardSection,
  compiler: SectionCompiler,
): ContentType {
  const { encoding = 'json', content_type: declared } = section
  const check = (type: string, path: readonly string[]) => {
    const fault = faultOf(encoding, type)
    if (fault !== null) compiler.problem(path, fault.message, fault.fix)
    return () => type
  }
  const header = headerOf(section)
  if (declared !== undefined && header) {
    compiler.problem(['content_type'], 'is set twice', 'Remove the header content-type.')
  }
  if (declared !== undefined) return check(declared, ['content_type'])
  if (!header) return () => DEFAULTS[encoding]
  const path = ['headers', header.name]
  const [, literal] = LITERAL.exec(String(header.value)) ?? []
  if (literal !== undefined) return check(literal, path)
  return compileDynamic(header.value, path, encoding, compiler)
}

/** The content type among a card's headers. */
function headerOf({ headers = {} }: RestCardSection) {
  const name = Object.keys(headers).find(key => key.toLowerCase() === HEADER)
  return name === undefined ? null : { name, value: headers[name] }
}

/** A media type that the caller gives, for bodies that the gateway sends as they are. */
function compileDynamic(
  value: unknown,
  path: readonly string[],
  encoding: Encoding,
  compiler: SectionCompiler,
): ContentType {
  if (encoding !== 'text' && encoding !== 'binary') {
    const fix = `Write a literal in content_type, or remove the header: encoding: ${encoding} sets it.`
    compiler.problem(path, 'depends on the call, but the encoding of the body does not', fix)
  }
  const tree = compiler.tree(value, path)
  return scope => {
    const type = tree(scope) ?? DEFAULTS[encoding]
    if (typeof type === 'string' && faultOf(encoding, type) === null) return type
    throw new ValueError(HEADER, type, `must be a media type for a body of ${encoding}`)
  }
}

interface Fault {
  readonly message: string
  readonly fix: string
}

function faultOf(encoding: Encoding, type: string): Fault | null {
  if (!isMediaType(type)) {
    return { message: 'is not a media type', fix: 'Write one such as application/json.' }
  }
  const essence = essenceOf(type)
  const meant = encodingFor(essence)
  if (meant !== encoding && !(meant === null && SENT_AS_THEY_ARE.includes(encoding))) {
    const fix = meant === null ? FIX_UNKNOWN : `Write encoding: ${meant}, or another type.`
    return { message: `says ${essence}, but the body is sent as ${encoding}`, fix }
  }
  const message = 'names a charset other than the one that is sent'
  if (/charset=(?!utf-?8)/i.test(type)) return { message, fix: 'Write charset=utf-8.' }
  return null
}

const SENT_AS_THEY_ARE: readonly Encoding[] = ['text', 'binary']
const FIX_UNKNOWN =
  'Write encoding: text or encoding: binary, whose bodies are sent as they are, or another type.'

/** The only encoding that makes bodies of this type; null if the type fits any text or bytes. */
function encodingFor(essence: string): Encoding | null {
  if (isJsonType(essence)) return 'json'
  if (essence === DEFAULTS.form) return 'form'
  return essence.startsWith('multipart/') ? 'multipart' : null
}
