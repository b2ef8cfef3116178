import { CsvFault, parseCsv } from '../../src/lib/csv.ts'
import { createWarning, type Warning } from '../../src/model/warnings.ts'
import type { HttpAnswer } from '../http/wire/answer.ts'
import type { Collecting } from '../http/wire/collector.ts'
import { type EventLimit, EventReader } from '../http/wire/events.ts'
import { readJson } from '../http/wire/json.ts'
import { essenceOf, isJsonType } from '../http/wire/media-type.ts'
import { readXml, XmlFault } from '../http/wire/xml.ts'
import type { Format, SseSource } from './answer-schema.ts'
import type { RestCardSection } from './schema.ts'

const STREAM = 'text/event-stream'

/** A body as expressions see it, or why there is none. */
export type ReadBody =
  | { readonly ok: true; readonly value: unknown; readonly warnings?: readonly Warning[] }
  | UnreadableBody

export interface UnreadableBody {
  readonly ok: false
  /** The format that the body should have, for messages. */
  readonly format: string
  /** Whether the body ends too early. */
  readonly cutShort: boolean
  /** Whether it is larger than `max_parsed_bytes`. */
  readonly isTooLarge?: boolean
}

/** The `parse` for the types of other formats, for messages. */
const PARSE_OF: Readonly<Record<string, Format>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'text/csv': 'csv',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'text/event-stream': 'sse',
}

const BYTES =
  /^(image\/(?!svg)|audio\/|video\/|font\/|application\/(octet-stream|pdf|zip|gzip|x-tar|x-7z-compressed|vnd\.(openxmlformats|ms-|oasis)))/

/** The declared type, if another `parse` than that of the card reads it. */
export function readableOtherwise(
  { headers }: HttpAnswer,
  { parse = 'json' }: RestCardSection,
): { readonly type: string; readonly by: string } | null {
  const type = essenceOf(headers['content-type'])
  const own = BYTES.test(type) ? 'binary' : PARSE_OF[type]
  return own === undefined || own === parse ? null : { type, by: `parse: ${own}` }
}

/** The types that a request asks for, unless the card or the upstream has a header `accept`. */
export const ACCEPTED = {
  json: 'application/json',
  text: '*/*',
  none: 'application/json',
  ndjson: 'application/x-ndjson, application/jsonl, application/json;q=0.8, */*;q=0.5',
  csv: 'text/csv, */*;q=0.5',
  xml: 'application/xml, text/xml;q=0.9, */*;q=0.5',
  binary: '*/*',
  sse: STREAM,
} as const satisfies Record<Format, string>

type Reader = (answer: HttpAnswer, card: RestCardSection) => ReadBody

/** Formats that need a body to read. */
export const READERS = {
  json: ({ text }) => readOneJson(text),
  ndjson: ({ text }) => readLines(text),
  csv: readTable,
  xml: ({ text }, { xml }) => guarded('XML', XmlFault, () => readXml(text, xml?.lists ?? [])),
  binary: readBinary,
  sse: readEvents,
} satisfies Record<Exclude<Format, 'text' | 'none'>, Reader>

function readOneJson(text: string): ReadBody {
  const json = readJson(text)
  return json.ok ? json : { ...json, format: 'JSON' }
}

/** One JSON text for each line. */
function readLines(text: string): ReadBody {
  const values: unknown[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const json = readJson(line)
    if (!json.ok) return { ...json, format: 'JSON in each line' }
    values.push(json.value)
  }
  return { ok: true, value: values }
}

/** Almost any text is a table of one column, so the type must not say that it is something else. */
function readTable({ text, headers }: HttpAnswer, { csv = {} }: RestCardSection): ReadBody {
  const essence = essenceOf(headers['content-type'])
  if (isJsonType(essence) || essence === 'text/html') return NO_TABLE
  return guarded(NO_TABLE.format, CsvFault, () => parseCsv(text, csv))
}

const NO_TABLE = { ok: false, format: 'CSV', cutShort: false } as const

function guarded(
  format: string,
  Fault: new (message: string) => Error,
  read: () => unknown,
): ReadBody {
  try {
    return { ok: true, value: read() }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, format, cutShort: false }
    throw error
  }
}

const UNKNOWN_TYPE = 'application/octet-stream'

function readBinary({ bytes = NO_BYTES, headers }: HttpAnswer): ReadBody {
  const media_type = headers['content-type'] ?? UNKNOWN_TYPE
  const value = { base64: bytes.toString('base64'), media_type, size: bytes.length }
  return { ok: true, value }
}

const NO_BYTES = Buffer.alloc(0)

const STREAM_GOES_ON = createWarning(
  'PARTIAL_RESULTS',
  'The stream of events goes on; data has what came before the limit of the card.',
)

function readEvents(answer: HttpAnswer, { sse = {} }: RestCardSection): ReadBody {
  // Any other text is a stream without events.
  if (essenceOf(answer.headers['content-type']) !== STREAM) {
    return { ok: false, format: 'a stream of events', cutShort: false }
  }
  const reader = new EventReader(limitOf(sse))
  reader.readText(answer.text)
  const isPart = answer.endedEarly === true && !reader.ended
  return { ok: true, value: reader.events, warnings: isPart ? [STREAM_GOES_ON] : [] }
}

/** When to stop reading the answer of a card; undefined for all that end by themselves. */
export function collectingOf({ parse, sse = {} }: RestCardSection): Collecting | undefined {
  if (parse !== 'sse') return undefined
  return {
    waitMs: sse.wait_ms ?? null,
    begin: () => {
      const reader = new EventReader(limitOf(sse))
      return chunk => {
        reader.read(chunk)
        return reader.isFull
      }
    },
  }
}

const MOST_EVENTS = 100

function limitOf({ events = MOST_EVENTS, until_data, until_event }: SseSource): EventLimit {
  return { events, untilData: until_data ?? null, untilEvent: until_event ?? null }
}
