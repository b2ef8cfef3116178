import type { OutputFormat } from './schema.ts'

/** What a program printed, as result expressions see it. */
export interface Output {
  readonly body: unknown
  /** HTTP status and lower-case headers, with `parse: http` only. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
}

/** Output that is not of the declared format. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
  /** A web page came instead of an answer: then the call may never have reached the API. */
  readonly html: boolean

  constructor(message: string, text: string) {
    super(message)
    this.html = isHtml(text)
  }
}

const plain = { status: null, headers: {} } as const

/**
 * Reads standard output. Bytes that are no UTF-8 become U+FFFD.
 * @throws {OutputError} when it is not of the format.
 */
export function parseOutput(text: string, format: OutputFormat): Output {
  switch (format) {
    case 'json':
      return { ...plain, body: parseJson(text) }
    case 'ndjson':
      return { ...plain, body: splitLines(text).filter(Boolean).map(parseJson) }
    case 'lines':
      return { ...plain, body: splitLines(text) }
    case 'text':
      return { ...plain, body: text }
    case 'http':
      return parseHttp(text)
  }
}

/** Never fails: for programs that failed themselves, and may have explained it on stdout. */
export function parseErrorOutput(text: string, format: OutputFormat): Output {
  const http = format === 'http' ? splitHttp(text) : null
  const payload = http?.payload ?? text
  return {
    status: http?.status ?? null,
    headers: http?.headers ?? {},
    body: lastDocument(payload) ?? payload,
  }
}

function parseJson(text: string): unknown {
  const source = text.trim()
  if (source === '') return null
  try {
    return JSON.parse(source)
  } catch {
    const documents = splitDocuments(withoutColor(source))
    const [first] = documents ?? []
    if (documents?.length === 1) return first
    // `gh api --paginate` before 2.48 prints one array per page; joined they are the list.
    if (documents?.every(Array.isArray)) return documents.flat()
    // One a line, as `docker ps --format json` prints them.
    if (documents && splitLines(source).length === documents.length) return documents
    throw new OutputError(describe(source), source)
  }
}

function parseHttp(text: string): Output {
  const http = splitHttp(text)
  if (!http) throw new OutputError('The output does not begin with an HTTP status line.', text)
  const { status, headers, payload } = http
  return { status, headers, body: status >= 400 ? lastDocument(payload) : parseJson(payload) }
}

interface HttpText {
  readonly status: number
  readonly headers: Record<string, string>
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

/** The JSON that a program wrote among its messages; null when there is none. */
export function documentAmong(messages: string): unknown {
  const start = messages.search(/[[{]/)
  return start < 0 ? null : lastDocument(messages.slice(start))
}

/** The last of the JSON documents in a text: `gh api --paginate` prints good pages before the error. */
function lastDocument(text: string): unknown {
  return splitDocuments(withoutColor(text.trim()))?.at(-1) ?? null
}

/** Splits `[1][2]{"a":3}` into its documents; null when there is anything else in the text. */
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

/** Where each outermost bracket closes; brackets inside string literals do not count. */
function* documentEnds(text: string): Generator<number> {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (quoted) {
      if (character === '\\') at++
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '[' || character === '{') depth++
    else if ((character === ']' || character === '}') && --depth === 0) yield at + 1
  }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON has no raw escape characters, so a colour code can only be decoration. */
function withoutColor(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/\u001b\[[\d;]*m/g, '')
}

function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function describe(text: string): string {
  if (isHtml(text)) return 'The program answered with a web page where JSON was expected.'
  return `The program's output is not valid JSON (${Buffer.byteLength(text)} bytes, beginning with ${JSON.stringify(text.slice(0, 40))}).`
}

function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body)\b/i.test(text)
}
