import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ImportError } from './errors.ts'
import { type Files, isCard } from './files.ts'
import { digestOf, type ImportRecord, readRecord, readText } from './record.ts'

/**
 * `new`, `changed`, and `overwritten` for a forced loss of edits: to write. `same`: as the document says. `edited`: by people, while the document says what it said
 * before. `conflict`: edited, and the document has changed too. `deleted`: by people. `left`: a file that all
 * cards share, which an import of some operations leaves alone.
 */
export type Fate =
  | 'new'
  | 'changed'
  | 'overwritten'
  | 'same'
  | 'edited'
  | 'conflict'
  | 'deleted'
  | 'left'

export interface Change {
  readonly name: string
  readonly fate: Fate
  /** The text that the document gives now. */
  readonly text: string
  /** The file's text; null without a file. */
  readonly current: string | null
}

export interface Changes {
  readonly files: readonly Change[]
  /** Cards of earlier imports whose operation is no longer in the document. */
  readonly removed: readonly string[]
  /** The facts to remember for the next import. */
  readonly record: ImportRecord
  /** True if an earlier import is known. */
  readonly isRepeated: boolean
}

export interface CompareOptions {
  readonly isForced: boolean
  /** Whether nothing will be written. */
  readonly isTried: boolean
  /** Whether the files hold all operations of the document. */
  readonly isWhole: boolean
  /** The ids of all operations of the document. */
  readonly ids: ReadonlySet<string>
}

/**
 * Compares the files of a document with a folder. People's edits win, unless forced.
 * @throws {ImportError} if a card exists that no import is known to have written.
 */
export function compareFolder(folder: string, files: Files, options: CompareOptions): Changes {
  const known = readRecord(folder)
  if (known === null && !options.isForced && !options.isTried) refuseTaken(folder, files)
  const changes = [...files].map(([name, text]): Change => {
    const current = readText(folder, name)
    const before = known?.get(name)
    return { name, text, current, fate: fateOf({ name, text, current, before, ...options }) }
  })
  const isOutside = (name: string) => isCard(name) && !options.ids.has(name.slice(0, -5))
  const isThere = (name: string) => basename(name) === name && existsSync(join(folder, name))
  const removed = [...(known?.keys() ?? [])].filter(name => isOutside(name) && isThere(name))
  const record = nextRecord(known, changes, name => isOutside(name) && !isThere(name))
  return { files: changes, removed, record, isRepeated: known !== null }
}

function refuseTaken(folder: string, files: Files): void {
  const taken = [...files.keys()].filter(name => isCard(name) && existsSync(join(folder, name)))
  const [first, ...others] = taken
  if (first === undefined) return
  const more = others.length > 0 ? `, and so do ${others.length} others` : ''
  throw new ImportError(
    `${join(folder, first)} exists already${more}. Nothing was written: use another --out, ` +
      'choose with --only, or overwrite with --force',
  )
}

/** A file and the digest of its last import, if there is one. */
interface Compared extends Omit<Change, 'fate'>, CompareOptions {
  readonly before: string | undefined
}

function fateOf(compared: Compared): Fate {
  const { name, text, current, before, isForced } = compared
  // No card works without the files that all cards share.
  if (current === null) return before && isCard(name) && !isForced ? 'deleted' : 'new'
  const theirs = digestOf(current)
  if (theirs === digestOf(text)) return 'same'
  if (isForced) return before === theirs ? 'changed' : 'overwritten'
  return fateOfDifferent(compared, theirs)
}

function fateOfDifferent({ name, text, before, isWhole }: Compared, theirs: string): Fate {
  if (!isCard(name) && !isWhole) return 'left'
  if (before === theirs) return 'changed'
  return before === digestOf(text) ? 'edited' : 'conflict'
}

/** Forgets cards that neither the document nor the folder has. */
function nextRecord(
  known: ImportRecord | null,
  changes: readonly Change[],
  isGone: (name: string) => boolean,
): ImportRecord {
  const old = [...(known ?? [])].filter(([name]) => !isGone(name))
  const now = changes
    .filter(({ fate }) => fate !== 'left')
    .map(({ name, text }) => [name, digestOf(text)] as const)
  return new Map([...old, ...now])
}
