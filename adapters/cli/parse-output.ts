import { isUtf8 } from 'node:buffer'
import { decodeText, UnreadableTextError } from '../../src/lib/charset.ts'
import { CsvFault, parseCsv } from '../../src/lib/csv.ts'
import { parseJson } from '../../src/lib/exact-json.ts'
import { isTooDeep } from '../../src/lib/nesting.ts'
import type { CsvSource } from '../../src/model/csv-source.ts'
import type { Headers } from '../../src/model/headers.ts'
import type { OutputFormat } from './schema.ts'

/** A program's parsed output, as result expressions see it. */
export interface Output {
  readonly body: unknown
  /** HTTP status and lower-case headers, with `parse: http` only. */
  readonly status: number | null
  readonly headers: Headers
}

/** The output does not have the declared format. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
  /** Whether the output is a web page: then the call may not have reached the API. */
  readonly html: boolean

  constructor(message: string, text: string) {
    super(message)
    this.html = isHtml(text)
  }
}

const plain = { status: null, headers: {} } as const

/**
 * Parses standard output.
 * @throws {OutputError} if it does not have the format, or is not text
 */
export function readOutput(bytes: Uint8Array, format: OutputFormat, csv: CsvSource = {}): Output {
  const text = decodeExactly(Buffer.from(bytes), format)
  return format === 'csv' ? { ...plain, body: parseTable(text, csv) } : parseOutput(text, format)
}

/** Each byte becomes the character that its sender meant, or the output is refused. */
function decodeExactly(bytes: Buffer, format: OutputFormat): string {
  // Latin-1 keeps each byte, so that the payload can be read in the charset that its headers declare.
  const http = format === 'http' && !isUtf8(bytes) ? splitHttp(bytes.toString('latin1')) : null
  try {
    if (!http) return decodeText(bytes, undefined).replace(/^\ufeff/, '')
    const payload = Buffer.from(http.payload, 'latin1')
    const head = bytes.subarray(0, bytes.length - payload.length)
    return head.toString() + decodeText(payload, http.headers['content-type'])
  } catch (error) {
    if (!(error instanceof UnreadableTextError)) throw error
    throw new OutputError(`The program's output is unreadable: ${error.message}.`, '')
  }
}

function parseTable(text: string, csv: CsvSource): unknown {
  try {
    return parseCsv(text, csv)
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    throw new OutputError(`The program's output is not CSV: ${error.message}.`, text)
  }
}

function parseOutput(text: string, format: Exclude<OutputFormat, 'csv'>): Output {
  switch (format) {
    case 'json':
      return { ...plain, body: parseDocument(text) }
    case 'ndjson':
      return { ...plain, body: splitLines(text).filter(Boolean).map(parseDocument) }
    case 'lines':
      return { ...plain, body: splitLines(text) }
    case 'text':
      return { ...plain, body: text }
    case 'http':
      return parseHttp(text)
  }
}

/** Parses the output of a failed program, which may have written its error to stdout. Never throws. */
export function parseErrorOutput(text: string, format: OutputFormat): Output {
  // A program that prints an HTTP answer is read by that protocol, whatever the card says.
  const http = format === 'http' || text.startsWith('HTTP/') ? splitHttp(text) : null
  const payload = http?.payload ?? text
  return {
    status: http?.status ?? null,
    headers: http?.headers ?? {},
    body: lastDocument(payload) ?? payload,
  }
}

function parseDocument(text: string): unknown {
  const source = text.trim()
  if (source === '') return null
  try {
    if (isTooDeep(source)) throw new SyntaxError('The JSON is nested too deeply')
    return parseJson(source)
  } catch {
    return severalDocuments(source)
  }
}

/** @throws {OutputError} when the text is not a series of JSON documents. */
function severalDocuments(source: string): unknown {
  const documents = splitDocuments(withoutColor(source))
  if (!documents) throw new OutputError(describeInvalid(source), source)
  if (documents.length === 1) return documents[0]
  // `gh api --paginate` before 2.48 prints one array per page; concatenate them.
  if (documents.every(Array.isArray)) return documents.flat()
  // One document per line, as `docker ps --format json` prints them.
  if (splitLines(source).length === documents.length) return documents
  throw new OutputError(describeInvalid(source), source)
}

function parseHttp(text: string): Output {
  const http = splitHttp(text)
  if (!http) throw new OutputError('The output does not start with an HTTP status line.', text)
  const { status, headers, payload } = http
  return { status, headers, body: status >= 400 ? lastDocument(payload) : parseDocument(payload) }
}

interface HttpText {
  readonly status: number
  readonly headers: Headers
  readonly payload: string
}

/** `gh api --include`: status line, headers, blank line, body. */
function splitHttp(text: string): HttpText | null {
  const [, status, head, payload] =
    /^HTTP\/[\d.]+ (\d{3})[^\n]*\n((?:[^\r\n]+\r?\n)*)(?:\r?\n)?([\s\S]*)$/.exec(text) ?? []
  if (status === undefined || head === undefined || payload === undefined) return null
  const headers = Object.fromEntries(
    splitLines(head).map(line => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(status), headers, payload }
}

/** The JSON document that a program wrote among its messages; null if there is none. */
export function documentAmong(messages: string): unknown {
  const start = messages.search(/[[{]/)
  return start < 0 ? null : lastDocument(messages.slice(start))
}

/** The last JSON document in a text: `gh api --paginate` prints good pages before the error. */
function lastDocument(text: string): unknown {
  return splitDocuments(withoutColor(text.trim()))?.at(-1) ?? null
}

/** Splits `[1][2]{"a":3}` into its documents; null if the text contains anything else. */
function splitDocuments(text: string): unknown[] | null {
  const documents: unknown[] = []
  let start = 0
  for (const end of documentEnds(text)) {
    const document = tryParse(text.slice(start, end))
    if (document === undefined) return null
    documents.push(document)
    start = end
  }
  return documents.length > 0 && text.slice(start).trim() === '' ? documents : null
}

/** The offset after each outermost closing bracket. Brackets inside string literals do not count. */
function* documentEnds(text: string): Generator<number> {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '[' || character === '{') depth++
    else if ((character === ']' || character === '}') && --depth === 0) yield at + 1
  }
}

/** The offset of the closing quote; beyond the text if there is none. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function tryParse(text: string): unknown {
  try {
    return isTooDeep(text) ? undefined : parseJson(text)
  } catch {
    return undefined
  }
}

/** Removes colour codes. JSON allows no raw escape characters, so they are never part of a value. */
function withoutColor(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/\u001b\[[\d;]*m/g, '')
}

function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function describeInvalid(text: string): string {
  if (isHtml(text)) return 'The program printed a web page, but JSON was expected.'
  return `The program's output is not valid JSON (${Buffer.byteLength(text)} bytes, starting with ${JSON.stringify(text.slice(0, 40))}).`
}

function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body)\b/i.test(text)
}
