import { canSee } from './access.ts'
import type { IssueOrPull, Repository } from './entities.ts'
import { fullName } from './repositories.ts'
import type { Store } from './store.ts'
import type { Principal } from './tokens.ts'

type Test = (item: IssueOrPull, value: string) => boolean

/** The qualifiers of GitHub's issue search that the sandbox knows; others match nothing. */
const qualifiers: Record<string, Test> = {
  repo: (item, value) => same(fullName(item.repository), value),
  org: (item, value) => same(item.repository.owner.login, value),
  user: (item, value) => same(item.repository.owner.login, value),
  type: (item, value) => isOfType(item, value),
  state: (item, value) => item.state === value,
  is: (item, value) => isOfType(item, value) || isInState(item, value),
  label: (item, value) => item.labels.some(label => same(label.name, value)),
  author: (item, value) => same(item.author.login, value),
  assignee: (item, value) => item.assignees.some(user => same(user.login, value)),
  milestone: (item, value) => item.milestone !== null && same(item.milestone.title, value),
  head: (item, value) => item.kind === 'PullRequest' && item.head.name === value,
  base: (item, value) => item.kind === 'PullRequest' && item.base.name === value,
  draft: (item, value) => item.kind === 'PullRequest' && String(item.isDraft) === value,
  // Where free text is looked for, and the order: neither narrows the result down here.
  in: () => true,
  sort: () => true,
}

interface Term {
  text: string
  qualifier: string | undefined
  negated: boolean
}

/** Issues and pull requests that match a search text as one types it on GitHub, newest first. */
export function searchItems(store: Store, principal: Principal, query: string): IssueOrPull[] {
  const terms = parseQuery(query)
  return store.repositories
    .all()
    .filter(repository => canSee(principal, repository))
    .flatMap(repository => [...repository.items.values()])
    .filter(item => terms.every(term => matches(item, term)))
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b.databaseId - a.databaseId)
}

export function searchRepositories(
  store: Store,
  principal: Principal,
  query: string,
): Repository[] {
  const words = parseQuery(query).filter(term => term.qualifier === undefined)
  return store.repositories
    .all()
    .filter(repository => canSee(principal, repository))
    .filter(repository => words.every(({ text }) => contains(repository.name, text)))
}

/** Words, `"quoted words"` and `qualifier:value`, each of which `-` turns around. */
function parseQuery(query: string): Term[] {
  const pattern = /(-)?(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/gi
  return [...query.matchAll(pattern)].map(([, minus, qualifier, quoted, word]) => ({
    text: quoted ?? word ?? '',
    qualifier: qualifier?.toLowerCase(),
    negated: minus !== undefined,
  }))
}

function matches(item: IssueOrPull, { text, qualifier, negated }: Term): boolean {
  const test: Test = qualifier === undefined ? isAbout : (qualifiers[qualifier] ?? (() => false))
  return test(item, text) !== negated
}

function isAbout(item: IssueOrPull, word: string): boolean {
  return contains(item.title, word) || contains(item.body ?? '', word)
}

function isOfType(item: IssueOrPull, value: string): boolean {
  return value === (item.kind === 'Issue' ? 'issue' : 'pr')
}

function isInState(item: IssueOrPull, value: string): boolean {
  switch (value) {
    case 'open':
    case 'closed':
      return item.state === value
    case 'merged':
      return item.kind === 'PullRequest' && item.mergedAt !== null
    case 'public':
    case 'private':
      return item.repository.visibility === value
    default:
      return false
  }
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function contains(text: string, word: string): boolean {
  return text.toLowerCase().includes(word.toLowerCase())
}
