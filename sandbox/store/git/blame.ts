import { diffArrays } from 'diff'
import type { ObjectDatabase, Oid } from './objects.ts'
import { entryAt, isFolder } from './trees.ts'

/** Consecutive lines that one commit wrote last. Lines count from 1. */
export interface BlameRange {
  readonly start: number
  readonly end: number
  readonly commit: Oid
}

/** Finds the last commit of each line of a file, as `git blame` does, but looks for no moved lines. */
export function blame(objects: ObjectDatabase, commit: Oid, path: string): BlameRange[] {
  const ranges: BlameRange[] = []
  for (const [index, oid] of authorsOf(objects, commit, path).entries()) {
    const last = ranges.at(-1)
    if (last?.commit === oid) ranges[ranges.length - 1] = { ...last, end: index + 1 }
    else ranges.push({ start: index + 1, end: index + 1, commit: oid })
  }
  return ranges
}

/** The commit of each line. A line that any parent has is that parent's. */
function authorsOf(objects: ObjectDatabase, commit: Oid, path: string): Oid[] {
  const lines = linesAt(objects, commit, path) ?? []
  const authors: (Oid | undefined)[] = lines.map(() => undefined)
  for (const parent of objects.commit(commit).parents) {
    const before = linesAt(objects, parent, path)
    if (!before) continue
    const known = authorsOf(objects, parent, path)
    for (const [now, then] of keptLines(before, lines)) authors[now] ??= known[then]
  }
  return authors.map(author => author ?? commit)
}

/** Pairs of a line's new and old index. */
function keptLines(before: string[], after: string[]): [number, number][] {
  const pairs: [number, number][] = []
  let [now, then] = [0, 0]
  for (const { added, removed, count } of diffArrays(before, after)) {
    if (!added && !removed) {
      for (let step = 0; step < count; step += 1) pairs.push([now + step, then + step])
    }
    if (!removed) now += count
    if (!added) then += count
  }
  return pairs
}

function linesAt(objects: ObjectDatabase, commit: Oid, path: string): string[] | undefined {
  const entry = entryAt(objects, objects.commit(commit).tree, path)
  if (!entry || isFolder(entry)) return undefined
  return objects
    .blob(entry.oid)
    .toString()
    .split(/(?<=\n)/)
}
