import type { ObjectDatabase, Oid, TreeEntry } from './objects.ts'

/** A file as a tree holds it, without its name. */
export type FileEntry = Pick<TreeEntry, 'mode' | 'oid'>

/** All files below a tree by their full path, in git's order. Folders exist only through files. */
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

/** Writes only the trees on the way to what changes (null removes it), and gives the root. */
export function changeTree(
  objects: ObjectDatabase,
  tree: Oid | undefined,
  changes: ReadonlyMap<string, FileEntry | null>,
): Oid {
  const entries = new Map(tree ? objects.tree(tree).map(entry => [entry.name, entry]) : [])
  const inside = new Map<string, Map<string, FileEntry | null>>()
  for (const [path, entry] of changes) {
    const slash = path.indexOf('/')
    const name = slash === -1 ? path : path.slice(0, slash)
    if (slash !== -1) {
      const below = inside.get(name) ?? new Map<string, FileEntry | null>()
      inside.set(name, below.set(path.slice(slash + 1), entry))
    } else if (entry) entries.set(name, { name, ...entry })
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

/** Git sorts bytes, and a folder as if its name ended in a slash. */
function inGitOrder(a: TreeEntry, b: TreeEntry): number {
  return Buffer.compare(Buffer.from(sortKey(a)), Buffer.from(sortKey(b)))
}

function sortKey({ name, mode }: TreeEntry): string {
  return mode === FOLDER ? `${name}/` : name
}

/** What stands at a path below a tree; the empty path is the tree itself. */
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

/** The entries of a tree with their paths; all below it too, folders first, if `isDeep`. */
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
