import { structuredPatch } from 'diff'
import type { ObjectDatabase, Oid } from './objects.ts'
import { type FileEntry, type Files, filesOf } from './trees.ts'

/** The change of one file between two trees, with the REST API's terms. */
export interface FileChange {
  readonly path: string
  readonly status: 'added' | 'removed' | 'modified' | 'renamed'
  /** Set only for a renamed file. */
  readonly previousPath: string | undefined
  readonly before: FileEntry | undefined
  readonly after: FileEntry | undefined
  readonly additions: number
  readonly deletions: number
  /** The hunks, without the file headers. Undefined for a binary file, or one that was only renamed. */
  readonly patch: string | undefined
  readonly isBinary: boolean
}

type Pair = Pick<FileChange, 'path' | 'status' | 'previousPath' | 'before' | 'after'>

/** Sorted by path. A file that moved and also changed counts as one added and one removed file. */
export function diffTrees(
  objects: ObjectDatabase,
  before: Oid | undefined,
  after: Oid,
): FileChange[] {
  const old: Files = before === undefined ? new Map() : filesOf(objects, before)
  return pairUp(old, filesOf(objects, after)).map(pair => ({ ...pair, ...linesOf(objects, pair) }))
}

function pairUp(old: Files, now: Files): Pair[] {
  const removed = new Map([...old].filter(([path]) => !now.has(path)))
  const pairs: Pair[] = []
  for (const [path, after] of now) {
    const before = old.get(path)
    const source = before ? undefined : takeSame(removed, after)
    if (before?.oid === after.oid && before.mode === after.mode) continue
    if (source) {
      pairs.push({ path, status: 'renamed', previousPath: source[0], before: source[1], after })
    } else {
      const status = before ? 'modified' : 'added'
      pairs.push({ path, status, previousPath: undefined, before, after })
    }
  }
  for (const [path, before] of removed) {
    pairs.push({ path, status: 'removed', previousPath: undefined, before, after: undefined })
  }
  return pairs.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
}

function takeSame(removed: Map<string, FileEntry>, wanted: FileEntry) {
  const found = [...removed].find(([, entry]) => entry.oid === wanted.oid)
  if (found) removed.delete(found[0])
  return found
}

type Lines = Pick<FileChange, 'additions' | 'deletions' | 'patch' | 'isBinary'>

/**
 * Cached by the names of both blobs, since blobs do not change. The cache outlives a reset: every
 * seeded store has the same blobs, and comparing them takes half the time of reading a store.
 */
const knownLines = new Map<string, Lines>()
const MOST_KNOWN = 1_000

function linesOf(objects: ObjectDatabase, pair: Pair): Lines {
  const key = `${pair.before?.oid ?? ''}..${pair.after?.oid ?? ''}`
  const known = knownLines.get(key)
  if (known) return known
  if (knownLines.size === MOST_KNOWN) knownLines.clear()
  const lines = compareLines(objects, pair)
  knownLines.set(key, lines)
  return lines
}

function compareLines(objects: ObjectDatabase, { before, after }: Pair): Lines {
  const old = before ? objects.blob(before.oid) : Buffer.alloc(0)
  const now = after ? objects.blob(after.oid) : Buffer.alloc(0)
  if (isBinary(old) || isBinary(now)) {
    return { additions: 0, deletions: 0, patch: undefined, isBinary: true }
  }
  const { hunks } = structuredPatch('', '', old.toString(), now.toString(), '', '', { context: 3 })
  const lines = hunks.flatMap(hunk => hunk.lines)
  return {
    additions: lines.filter(line => line.startsWith('+')).length,
    deletions: lines.filter(line => line.startsWith('-')).length,
    patch: hunks.length === 0 ? undefined : hunks.map(formatHunk).join('\n'),
    isBinary: false,
  }
}

/** The sum of added or deleted lines. */
export function totalOf(changes: readonly FileChange[], field: 'additions' | 'deletions'): number {
  return changes.reduce((total, change) => total + change[field], 0)
}

/** Git's own test: a zero byte in the first 8000 bytes. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8000).includes(0)
}

type Hunk = ReturnType<typeof structuredPatch>['hunks'][number]

function formatHunk(hunk: Hunk): string {
  const old = range(hunk.oldStart, hunk.oldLines)
  const now = range(hunk.newStart, hunk.newLines)
  return [`@@ -${old} +${now} @@`, ...hunk.lines].join('\n')
}

/** An empty range names the line before it. A range of one line omits its count. */
function range(start: number, lines: number): string {
  if (lines === 0) return `${Math.max(0, start - 1)},0`
  return lines === 1 ? String(start) : `${start},${lines}`
}

/** The output of `git diff`. */
export function unifiedDiff(changes: readonly FileChange[]): string {
  return changes.map(fileDiff).join('')
}

function fileDiff(change: FileChange): string {
  const { path, previousPath = path, before, after, patch } = change
  const lines = [`diff --git a/${previousPath} b/${path}`, ...extendedHeaders(change)]
  const from = before ? `a/${previousPath}` : '/dev/null'
  const to = after ? `b/${path}` : '/dev/null'
  if (change.isBinary && before?.oid !== after?.oid) {
    lines.push(`Binary files ${from} and ${to} differ`)
  }
  if (patch !== undefined) lines.push(`--- ${from}`, `+++ ${to}`, patch)
  return `${lines.join('\n')}\n`
}

function extendedHeaders({ path, previousPath, before, after }: FileChange): string[] {
  if (previousPath !== undefined) {
    return ['similarity index 100%', `rename from ${previousPath}`, `rename to ${path}`]
  }
  const oids = `index ${short(before)}..${short(after)}`
  if (!before) return [`new file mode ${after?.mode}`, oids]
  if (!after) return [`deleted file mode ${before.mode}`, oids]
  if (before.mode === after.mode) return [`${oids} ${after.mode}`]
  const modes = [`old mode ${before.mode}`, `new mode ${after.mode}`]
  return before.oid === after.oid ? modes : [...modes, oids]
}

function short(entry: FileEntry | undefined): string {
  return (entry?.oid ?? '0'.repeat(7)).slice(0, 7)
}
