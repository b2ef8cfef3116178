import type { CommitData, ObjectDatabase, Oid } from './objects.ts'
import { entryAt } from './trees.ts'

/** A commit and its ancestors: children before parents, otherwise newest first, like `git log`. */
export function historyOf(objects: ObjectDatabase, head: Oid): Oid[] {
  const waitingFor = countChildren(objects, head)
  const ready = [head]
  const sorted: Oid[] = []
  while (ready.length > 0) {
    const next = takeNewest(objects, ready)
    sorted.push(next)
    for (const parent of objects.commit(next).parents) {
      const left = (waitingFor.get(parent) ?? 0) - 1
      waitingFor.set(parent, left)
      if (left === 0) ready.push(parent)
    }
  }
  return sorted
}

function countChildren(objects: ObjectDatabase, head: Oid): Map<Oid, number> {
  const children = new Map<Oid, number>([[head, 0]])
  const queue = [head]
  for (let oid = queue.pop(); oid !== undefined; oid = queue.pop()) {
    for (const parent of objects.commit(oid).parents) {
      if (!children.has(parent)) queue.push(parent)
      children.set(parent, (children.get(parent) ?? 0) + 1)
    }
  }
  return children
}

function takeNewest(objects: ObjectDatabase, ready: Oid[]): Oid {
  const ages = ready.map(oid => objects.commit(oid).committer.seconds)
  return ready.splice(ages.indexOf(Math.max(...ages)), 1)[0] as Oid
}

/** The commits of a history that changed the path. */
export function touching(objects: ObjectDatabase, history: readonly Oid[], path: string): Oid[] {
  const at = (commit: CommitData) => entryAt(objects, commit.tree, path)?.oid
  return history.filter(oid => {
    const commit = objects.commit(oid)
    const here = at(commit)
    if (commit.parents.length === 0) return here !== undefined
    return commit.parents.every(parent => at(objects.commit(parent)) !== here)
  })
}

/** The best common ancestor. It is the first common commit, since a history lists children first. */
export function mergeBase(objects: ObjectDatabase, a: Oid, b: Oid): Oid | undefined {
  return remembered(bases, `${a} ${b}`, () => {
    const before = new Set(historyOf(objects, a))
    return historyOf(objects, b).find(oid => before.has(oid))
  })
}

/** A name of a commit stands for its content and its history in every repository. */
const bases = new Map<string, Oid | undefined>()
const missing = new Map<string, readonly Oid[]>()

function remembered<Value>(known: Map<string, Value>, key: string, find: () => Value): Value {
  if (!known.has(key)) known.set(key, find())
  return known.get(key) as Value
}

/** The commits in `to` that are not in `from`, newest first. */
export function missingFrom(objects: ObjectDatabase, from: Oid, to: Oid): readonly Oid[] {
  return remembered(missing, `${from} ${to}`, () => {
    const known = new Set(historyOf(objects, from))
    return historyOf(objects, to).filter(oid => !known.has(oid))
  })
}
