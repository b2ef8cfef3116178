import { visibleTo } from '../access.ts'
import type { Commit } from '../git/nodes.ts'
import type { Signature } from '../git/objects.ts'
import { toTimestamp } from '../registry.ts'
import type { Store } from '../store.ts'
import type { Principal } from '../tokens.ts'
import { contains, isInRange, naming, type Sort, same } from './query.ts'
import { ownerQualifiers } from './repositories.ts'
import { type Found, type Searchable, search } from './search.ts'

const timeOf = ({ seconds }: Signature) => toTimestamp(seconds * 1000)

/** Searches the default branches. GitHub searches no other branch. */
export function searchCommits(
  store: Store,
  principal: Principal,
  query: string,
  sort?: Sort,
): Found<Commit> {
  const commits = visibleTo(principal, store.repositories.all()).flatMap(repository => {
    const { head } = store.git.of(repository)
    return head === undefined ? [] : store.git.history(repository, head)
  })
  return search(commits, naming(query, principal), searchable(store), sort)
}

function searchable({ accounts }: Store): Searchable<Commit> {
  const isBy = ({ email }: Signature, login: string) =>
    same(accounts.findByEmail(email)?.login ?? '', login)
  return {
    texts: { message: ({ message }) => message },
    qualifiers: {
      ...ownerQualifiers,
      is: ({ repository }, value) => repository.visibility === value,
      author: ({ author }, value) => isBy(author, value),
      committer: ({ committer }, value) => isBy(committer, value),
      'author-name': ({ author }, value) => contains(author.name, value),
      'author-email': ({ author }, value) => same(author.email, value),
      'committer-name': ({ committer }, value) => contains(committer.name, value),
      'committer-email': ({ committer }, value) => same(committer.email, value),
      'author-date': ({ author }, value) => isInRange(timeOf(author), value),
      'committer-date': ({ committer }, value) => isInRange(timeOf(committer), value),
      merge: ({ parents }, value) => String(parents.length > 1) === value,
      hash: ({ oid }, value) => oid.startsWith(value.toLowerCase()),
      parent: ({ parents }, value) => parents.includes(value),
      tree: ({ tree }, value) => tree === value,
    },
    notModelled: [],
    orders: {
      'author-date': ({ author }) => author.seconds,
      'committer-date': ({ committer }) => committer.seconds,
    },
    bestMatch: (a, b) => b.committer.seconds - a.committer.seconds || (a.oid < b.oid ? -1 : 1),
  }
}
