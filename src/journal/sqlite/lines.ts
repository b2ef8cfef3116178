import {
  type AttemptColumns,
  type DetailColumns,
  JSON_COLUMNS,
  type RequestColumns,
  type RequestRows,
  withAllColumns,
} from '../columns.ts'

/** Facts that an inbox keeps with the rows of a request, such as the key that they will have in the tables. */
type Facts = Readonly<Record<string, number>>

type JsonColumn = (typeof JSON_COLUMNS)[number]

/** The first part of a line, as JSON. A tab, the name of the column and a colon precede each JSON text of the details that follows. */
interface Head extends Omit<DetailColumns, JsonColumn | 'approval_id'> {
  /** Few requests have one. */
  readonly approval_id?: string
  readonly request: RequestColumns
  readonly attempts: readonly AttemptColumns[]
}

/** A gateway of an older version that died may have left lines in one of these forms. */
interface OlderHead extends Omit<Head, 'key_hash'> {
  readonly json: Readonly<Record<string, unknown>>
}
interface OldestHead {
  readonly rows: RequestRows
}

/** JSON texts contain neither tabs nor newlines, so they can stand in a line as they are: to escape or parse them would take longer. */
export function writeLine({ request, details, attempts }: RequestRows, facts: Facts = {}): string {
  const { upstream, effect, key_hash, approval_id } = details
  const known = { upstream, effect, key_hash, ...(approval_id === null ? {} : { approval_id }) }
  const head = { ...facts, request, attempts, ...known } satisfies Head
  let line = JSON.stringify(head)
  for (const name of JSON_COLUMNS) {
    const text = details[name]
    if (text !== null) line += `\t${name}:${text}`
  }
  // Shows that the line is whole.
  return `${line}\t`
}

export interface Line {
  readonly facts: Facts
  readonly rows: RequestRows
}

/** Returns null for a line that was cut short, or that a power failure has spoilt. */
export function readLine(text: string): Line | null {
  const line = readFreshLine(text)
  return line && JSON_COLUMNS.every(name => isJson(line.rows.details[name] ?? 'null')) ? line : null
}

/** Returns null for a line that was cut short. Nothing else can be wrong with a line that a running process wrote. */
export function readFreshLine(text: string): Line | null {
  const [first = '', ...texts] = text.split('\t')
  // Lines of older versions have no tabs.
  if (texts.length > 0 && texts.pop() !== '') return null
  try {
    const head = JSON.parse(first)
    return { facts: head, rows: rowsOf(head, texts) }
  } catch {
    return null
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function rowsOf(head: Head | OlderHead | OldestHead, texts: readonly string[]): RequestRows {
  if ('rows' in head) return withAllColumns(head.rows)
  const { request, attempts, upstream, effect } = head
  const { key_hash = null, approval_id = null } = 'json' in head ? {} : head
  const json = 'json' in head ? textsOf(head.json) : fromTexts(texts)
  const details = { ...NO_TEXTS, upstream, effect, key_hash, approval_id, ...json }
  return withAllColumns({ request, details, attempts })
}

type Texts = Partial<Record<JsonColumn, string>>

const NO_TEXTS = Object.fromEntries(JSON_COLUMNS.map(name => [name, null])) as Pick<
  DetailColumns,
  JsonColumn
>

function fromTexts(texts: readonly string[]): Texts {
  const found: Record<string, string> = {}
  for (const text of texts) {
    const end = text.indexOf(':')
    found[text.slice(0, end)] = text.slice(end + 1)
  }
  return found
}

function textsOf(json: Readonly<Record<string, unknown>>): Texts {
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, JSON.stringify(value)]),
  )
}
