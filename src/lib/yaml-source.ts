import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  mergeTag,
  parseEvents,
  YAMLException,
} from 'js-yaml'
import type { Problem } from './problem.ts'

export type KeyPath = readonly (string | number)[]

/** A parsed YAML file that still knows on which line each of its values stands. */
export interface SourceFile {
  readonly file: string
  readonly value: unknown
  /** Known to have no faults: what would only find some is left out. */
  readonly proven?: boolean
  /** Line of the value at `path`, or of its nearest ancestor that exists. */
  lineOf(path: KeyPath): number | null
}

/** Of the whole file; cards share a few sections by anchors. */
const MOST_ALIASES = 100
const SCHEMA = CORE_SCHEMA.withTags(mergeTag)

export function parseSource(file: string, text: string): SourceFile | Problem {
  let events: Event[]
  let documents: unknown[]
  try {
    events = parseEvents(text, {})
    documents = constructFromEvents(events, {
      source: text,
      schema: SCHEMA,
      maxAliases: MOST_ALIASES,
    })
  } catch (error) {
    if (error instanceof YAMLException) return faulty(file, error)
    throw error
  }
  if (documents.length > 1) return severalDocuments(file)
  let places: Place | null = null
  const lineOf = (path: KeyPath): number | null => {
    places ??= placesIn(events, text)
    return placeOf(places, path).line
  }
  return { file, value: documents[0] ?? null, lineOf }
}

/** The value of a file that comes with Signalbox, and so has no faults to be told. */
export function parseShipped(file: string, text: string): unknown {
  const source = parseSource(file, text)
  if (!('value' in source)) throw new Error(`${file}:${source.line}: ${source.message}`)
  return source.value
}

function faulty(file: string, { reason, mark }: YAMLException): Problem {
  return {
    file,
    line: mark ? mark.line + 1 : null,
    message: `not valid YAML: ${reason}`,
    fix: 'Correct the syntax on this line; quote strings that hold ": ", "#", "{" or "[".',
  }
}

function severalDocuments(file: string): Problem {
  return {
    file,
    line: null,
    message: 'holds more than one YAML document',
    fix: 'Put each into a file of its own, and leave "---" out.',
  }
}

/** Where a value begins, and the members that it has. */
interface Place {
  readonly line: number | null
  readonly members: ReadonlyMap<string, Place>
}

/** The deepest place on the way: what is not there is told where it belongs. */
function placeOf(root: Place, path: KeyPath): Place {
  let place = root
  for (const key of path) {
    const member = place.members.get(String(key))
    if (!member) break
    place = member
  }
  return place
}

/** A member of a mapping stands where its key does: that is the line a person looks for. */
function placesIn(events: readonly Event[], text: string): Place {
  const lineAt = lineCounter(text)
  let next = 0
  const read = (start: number | null = null): Place => {
    const event = events[next++]
    const line = lineAt(start ?? startOf(event))
    const members = new Map<string, Place>()
    if (event?.type === EVENT_ID.MAPPING) {
      while (!closes(events[next])) {
        const key = events[next]
        const name = key?.type === EVENT_ID.SCALAR ? getScalarValue(text, key) : ''
        read()
        members.set(name, read(startOf(key)))
      }
      next++
    } else if (event?.type === EVENT_ID.SEQUENCE) {
      while (!closes(events[next])) members.set(String(members.size), read())
      next++
    }
    return { line, members }
  }
  // The first event opens the document.
  next = 1
  return closes(events[next]) ? { line: null, members: new Map() } : read()
}

function closes(event: Event | undefined): boolean {
  return event === undefined || event.type === EVENT_ID.POP
}

/** Offset in the text, or null for what has no place of its own. */
function startOf(event: Event | undefined): number | null {
  switch (event?.type) {
    case EVENT_ID.SCALAR:
      return event.valueStart
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return event.start
    case EVENT_ID.ALIAS:
      return event.anchorStart
    default:
      return null
  }
}

/** Lines count from 1. */
function lineCounter(text: string): (offset: number | null) => number | null {
  return offset => (offset === null || offset < 0 ? null : text.slice(0, offset).split('\n').length)
}
