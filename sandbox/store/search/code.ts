import { visibleTo } from '../access.ts'
import type { Repository } from '../entities.ts'
import { filesOf } from '../git/trees.ts'
import type { Store } from '../store.ts'
import type { Principal } from '../tokens.ts'
import { contains, naming, same } from './query.ts'
import { ownerQualifiers } from './repositories.ts'
import { type Found, hasWords, queryOf, type Searchable, search } from './search.ts'

/** A file on the default branch. GitHub searches no other branch. */
export interface CodeFile {
  readonly repository: Repository
  readonly commit: string
  readonly path: string
  readonly name: string
  readonly sha: string
  readonly text: () => string
}

/** GitHub does not search larger files. */
const LARGEST_FILE = 384 * 1024

const languages: Readonly<Record<string, string>> = {
  ts: 'typescript',
  js: 'javascript',
  md: 'markdown',
  yml: 'yaml',
  yaml: 'yaml',
  json: 'json',
}

const extensionOf = ({ name }: CodeFile) => /\.([^.]+)$/.exec(name)?.[1] ?? ''

const code: Searchable<CodeFile> = {
  texts: { file: file => file.text(), path: file => file.path },
  qualifiers: {
    ...ownerQualifiers,
    path: (file, value) => contains(file.path, value),
    filename: (file, value) => contains(file.name, value),
    extension: (file, value) => same(extensionOf(file), value.replace(/^\./, '')),
    language: (file, value) =>
      same(languages[extensionOf(file)] ?? '', value) || same(extensionOf(file), value),
  },
  notModelled: ['size', 'symbol', 'content', 'is', 'license', 'fork', 'enterprise'],
  orders: {},
  bestMatch: (a, b) =>
    a.repository.databaseId - b.repository.databaseId || (a.path < b.path ? -1 : 1),
}

/** Whether a query has words. A code search with qualifiers only is refused. */
export function namesCode(query: string): boolean {
  return hasWords(query, code)
}

export function wordsOf(query: string): string[] {
  return queryOf(query, code)
    .words.filter(({ isNegated }) => !isNegated)
    .map(({ text }) => text)
}

export function searchCode(store: Store, principal: Principal, query: string): Found<CodeFile> {
  const visible = visibleTo(principal, store.repositories.all())
  const files = visible.flatMap(repository => filesIn(store, repository))
  return search(files, naming(query, principal), code)
}

function filesIn(store: Store, repository: Repository): CodeFile[] {
  const { objects, head } = store.git.of(repository)
  if (head === undefined) return []
  return [...filesOf(objects, objects.commit(head).tree)].map(([path, { oid }]) => ({
    repository,
    commit: head,
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    sha: oid,
    text() {
      const bytes = objects.blob(oid)
      return bytes.length > LARGEST_FILE ? '' : bytes.toString('utf8')
    },
  }))
}
