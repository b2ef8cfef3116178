import { applyPatch, structuredPatch } from 'diff'
import { isBinary } from './diff.ts'
import type { ObjectDatabase, Oid } from './objects.ts'
import { changeTree, type FileEntry, type Files, filesOf } from './trees.ts'

export type TreeMerge =
  | { readonly ok: true; readonly tree: Oid }
  /** The paths with conflicting changes. */
  | { readonly ok: false; readonly conflicts: readonly string[] }

/** Three-way merge. A file that only one side changed is taken from it; otherwise hunks are merged. */
export function mergeTrees(
  objects: ObjectDatabase,
  base: Oid | undefined,
  ours: Oid,
  theirs: Oid,
): TreeMerge {
  const from: Files = base === undefined ? new Map() : filesOf(objects, base)
  const [left, right] = [filesOf(objects, ours), filesOf(objects, theirs)]
  const merged = new Map<string, FileEntry>()
  const conflicts: string[] = []
  for (const path of new Set([...from.keys(), ...left.keys(), ...right.keys()])) {
    const result = mergeEntry(objects, from.get(path), left.get(path), right.get(path))
    if (result === 'conflict') conflicts.push(path)
    else if (result) merged.set(path, result)
  }
  conflicts.push(...filesThatAreFolders(merged))
  if (conflicts.length > 0) return { ok: false, conflicts: conflicts.toSorted() }
  return { ok: true, tree: changeTree(objects, undefined, merged) }
}

type Entry = FileEntry | undefined

function mergeEntry(
  objects: ObjectDatabase,
  base: Entry,
  ours: Entry,
  theirs: Entry,
): Entry | 'conflict' {
  if (isSame(ours, theirs) || isSame(base, theirs)) return ours
  if (isSame(base, ours)) return theirs
  if (!base || !ours || !theirs) return 'conflict'
  const text = mergeTexts(objects, base, ours, theirs)
  if (text === undefined) return 'conflict'
  const mode = ours.mode === base.mode ? theirs.mode : ours.mode
  return { mode, oid: objects.add({ type: 'blob', data: Buffer.from(text) }) }
}

function isSame(a: Entry, b: Entry): boolean {
  return a?.oid === b?.oid && a?.mode === b?.mode
}

function mergeTexts(
  objects: ObjectDatabase,
  ...entries: [base: FileEntry, ours: FileEntry, theirs: FileEntry]
): string | undefined {
  const contents = entries.map(({ oid }) => objects.blob(oid))
  if (contents.some(isBinary)) return undefined
  const [base, ours, theirs] = contents.map(String) as [string, string, string]
  // The context must be unchanged on our side: changes close to each other count as a conflict too.
  const change = structuredPatch('', '', base, theirs, '', '', { context: 3 })
  const merged = applyPatch(ours, change)
  return merged === false ? undefined : merged
}

/** Paths where one side has a file and the other a folder. */
function filesThatAreFolders(files: Files): string[] {
  const folders = new Set<string>()
  for (const path of files.keys()) {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      folders.add(path.slice(0, at))
    }
  }
  return [...files.keys()].filter(path => folders.has(path))
}
