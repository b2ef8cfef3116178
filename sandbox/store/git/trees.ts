import type { ObjectDatabase, Oid, TreeEntry } from './objects.ts'

/** An entry of a tree, without its name. */
export type FileEntry = Pick<TreeEntry, 'mode' | 'oid'>

/** All files below a tree by their full path, in git's order. Empty folders do not exist. */
export type Files = ReadonlyMap<string, FileEntry>

const FOLDER = '040000'

export function isFolder({ mode }: Pick<FileEntry, 'mode'>): boolean {
  return mode === FOLDER
}

export function filesOf(objects: ObjectDatabase, tree: Oid, prefix = ''): Map<string, FileEntry> {
  const files = new Map<string, FileEntry>()
  for (const { name, mode, oid } of objects.tree(tree)) {
    const path = prefix + name
    if (mode !== FOLDER) files.set(path, { mode, oid })
    else for (const entry of filesOf(objects, oid, `${path}/`)) files.set(...entry)
  }
  return files
}

/** Applies changes (null deletes) and returns the new root. Rewrites only the affected trees. */
export function changeTree(
  objects: ObjectDatabase,
  tree: Oid | undefined,
  changes: ReadonlyMap<string, FileEntry | null>,
): Oid {
  const entries = new Map(tree ? objects.tree(tree).map(entry => [entry.name, entry]) : [])
  const { here, inside } = splitByFolder(changes)
  for (const [name, entry] of here) {
    if (entry) entries.set(name, { name, ...entry })
    else entries.delete(name)
  }
  for (const [name, below] of inside) {
    const old = entries.get(name)
    const oid = changeTree(objects, old?.mode === FOLDER ? old.oid : undefined, below)
    if (objects.tree(oid).length > 0) entries.set(name, { name, mode: FOLDER, oid })
    else entries.delete(name)
  }
  return objects.add({ type: 'tree', data: [...entries.values()].toSorted(inGitOrder) })
}

type TreeChanges = Map<string, FileEntry | null>

/** Splits changes into those of the folder itself, and those of each folder in it. */
function splitByFolder(changes: ReadonlyMap<string, FileEntry | null>) {
  const here: TreeChanges = new Map()
  const inside = new Map<string, TreeChanges>()
  for (const [path, entry] of changes) {
    const slash = path.indexOf('/')
    if (slash === -1) here.set(path, entry)
    else {
      const name = path.slice(0, slash)
      const below: TreeChanges = inside.get(name) ?? new Map()
      inside.set(name, below.set(path.slice(slash + 1), entry))
    }
  }
  return { here, inside }
}

/** Git compares bytes, and sorts a folder as if its name ended in a slash. */
function inGitOrder(a: TreeEntry, b: TreeEntry): number {
  return Buffer.compare(Buffer.from(sortKey(a)), Buffer.from(sortKey(b)))
}

function sortKey({ name, mode }: TreeEntry): string {
  return mode === FOLDER ? `${name}/` : name
}

/** The entry at a path below a tree. The empty path is the tree itself. */
export function entryAt(objects: ObjectDatabase, tree: Oid, path: string): FileEntry | undefined {
  let entry: FileEntry = { mode: FOLDER, oid: tree }
  for (const segment of path.split('/').filter(Boolean)) {
    if (entry.mode !== FOLDER) return undefined
    const next = objects.tree(entry.oid).find(({ name }) => name === segment)
    if (!next) return undefined
    entry = { mode: next.mode, oid: next.oid }
  }
  return entry
}

export interface ListedEntry extends FileEntry {
  readonly path: string
  readonly type: 'blob' | 'tree'
}

/** The entries of a tree with their paths. With `isDeep`, each folder's entries follow the folder. */
export function listEntries(
  objects: ObjectDatabase,
  tree: Oid,
  isDeep = false,
  prefix = '',
): ListedEntry[] {
  return objects.tree(tree).flatMap(({ name, mode, oid }) => {
    const isTree = mode === FOLDER
    const path = prefix + name
    const entry: ListedEntry = { path, mode, oid, type: isTree ? 'tree' : 'blob' }
    return isTree && isDeep ? [entry, ...listEntries(objects, oid, true, `${path}/`)] : [entry]
  })
}
