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

/** A parsed YAML file that knows the line of each of its values. */
export interface SourceFile {
  readonly file: string
  readonly value: unknown
  /** True when the file has no faults, so that checks which only find some can be skipped. */
  readonly proven?: boolean
  /** True for a search of all faults, also with checks that would slow a start. */
  readonly thorough?: boolean
  /** Line of the value at `path`, or of its nearest ancestor that exists. */
  lineOf(path: KeyPath): number | null
}

/** Limits the aliases of a file; cards need a few to share sections. */
const MOST_ALIASES = 100
const SCHEMA = CORE_SCHEMA.withTags(mergeTag)

export function parseSource(file: string, text: string): SourceFile | Problem {
  let documents: unknown[]
  try {
    documents = constructFromEvents(parseEvents(text, {}), {
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
    // Only a fault needs lines. The events of a file take far more memory than its text.
    places ??= placesIn(parseEvents(text, {}), text)
    return placeOf(places, path).line
  }
  return { file, value: documents[0] ?? null, lineOf }
}

/** @throws when a file that comes with Signalbox does not parse. */
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
    fix: 'Correct the syntax on this line; quote strings that contain ": ", "#", "{" or "[".',
  }
}

function severalDocuments(file: string): Problem {
  return {
    file,
    line: null,
    message: 'holds more than one YAML document',
    fix: 'Put each into its own file, and remove "---".',
  }
}

/** The lines on which a value and its members begin. */
interface Place {
  readonly line: number | null
  readonly members: ReadonlyMap<string, Place>
}

/** The place at `path`, or of the nearest ancestor: that is where a missing member belongs. */
function placeOf(root: Place, path: KeyPath): Place {
  let place = root
  for (const key of path) {
    const member = place.members.get(String(key))
    if (!member) break
    place = member
  }
  return place
}

/** A walk over the events of a document. */
interface Walk {
  readonly events: readonly Event[]
  readonly text: string
  readonly lineAt: (offset: number | null) => number | null
  next: number
}

function placesIn(events: readonly Event[], text: string): Place {
  // The first event opens the document.
  const walk: Walk = { events, text, lineAt: lineCounter(text), next: 1 }
  return closes(events[walk.next]) ? { line: null, members: new Map() } : readPlace(walk, null)
}

/** @param start where the key of the value begins; null for a value without a key. */
function readPlace(walk: Walk, start: number | null): Place {
  const event = walk.events[walk.next++]
  const line = walk.lineAt(start ?? startOf(event))
  return { line, members: readMembers(walk, event) }
}

/** A member of a mapping begins on the line of its key: that is the line a person looks for. */
function readMembers(walk: Walk, parent: Event | undefined): ReadonlyMap<string, Place> {
  const members = new Map<string, Place>()
  const isMapping = parent?.type === EVENT_ID.MAPPING
  if (!isMapping && parent?.type !== EVENT_ID.SEQUENCE) return members
  while (!closes(walk.events[walk.next])) {
    const { name, start } = isMapping ? readKey(walk) : { name: String(members.size), start: null }
    members.set(name, readPlace(walk, start))
  }
  walk.next++
  return members
}

function readKey(walk: Walk): { readonly name: string; readonly start: number | null } {
  const key = walk.events[walk.next]
  readPlace(walk, null)
  const name = key?.type === EVENT_ID.SCALAR ? getScalarValue(walk.text, key) : ''
  return { name, start: startOf(key) }
}

function closes(event: Event | undefined): boolean {
  return event === undefined || event.type === EVENT_ID.POP
}

/** Offset in the text; null for events without one. */
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
