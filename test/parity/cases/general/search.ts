import type { Store } from '../../../../sandbox/index.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { hello, repositoryIn, times, userIn } from '../../worlds.ts'

const inHello = `repo:${hello.owner}/${hello.name}`

function manyIssues(count: number, title: string): (store: Store) => void {
  return store =>
    times(count, number => {
      const fields = { title: `${title} ${number}`, author: userIn(store) }
      store.issues.add(repositoryIn(store), fields)
    })
}

export const cases: ParityCases = {
  'search.issues': [
    { input: { query: `${inHello} is:issue is:open label:bug` } },
    { input: { query: `${inHello} is:pr`, first: 3 }, title: 'pull requests, some of them merged' },
    { input: { query: 'number in:title author:hubot', sort: 'created', order: 'asc', first: 5 } },
    { input: { query: `${inHello} is:issue -label:bug no:milestone`, sort: 'comments', first: 4 } },
    { input: { query: `${inHello} created:<2026-01-03 label:"good first issue"` } },
    { input: { query: 'org:octo-org state:closed is:issue comments:0', first: 2 } },
    { input: { query: 'nothing-is-called-this' }, title: 'an empty list' },
    { input: { query: 'repo:mallory/hidden' }, title: 'a repository that is out of sight' },
    {
      title: 'more than a search gives',
      given: manyIssues(1005, 'Flood'),
      input: { query: 'Flood', first: 2 },
    },
    { input: { query: '   ' }, title: 'blanks', fails: 'VALIDATION' },
  ],
  'search.repos': [
    { input: { query: 'hello' } },
    { input: { query: 'org:octo-org', sort: 'stars' } },
    {
      input: { query: 'user:octo-org user:octocat archived:false', sort: 'updated', order: 'asc' },
    },
    { input: { query: 'language:typescript stars:>40 topic:demo' } },
    { input: { query: 'org:octo-org is:private' } },
    { input: { query: 'hidden' }, title: 'an empty list' },
  ],
  'search.users': [
    { input: { query: 'octo' } },
    { input: { query: 'octo type:org' } },
    { input: { query: 'type:user', sort: 'joined', order: 'asc' } },
    { input: { query: 'cat in:name repos:>0' } },
    { input: { query: 'nobody-at-all' }, title: 'an empty list' },
  ],
  'search.code': [
    { input: { query: `greet ${inHello}` } },
    { input: { query: 'export user:octo-org language:ts path:src', first: 2 } },
    { input: { query: 'part in:path extension:ts' } },
    { input: { query: 'nothing-is-called-this' }, title: 'an empty list' },
    { input: { query: 'language:ts' }, title: 'without a word', fails: 'VALIDATION' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'search.issues': {
    given: manyIssues(230, 'Flood'),
    input: { query: 'Flood is:issue' },
    count: 230,
  },
  'search.repos': {
    given: store =>
      times(230, number => {
        store.repositories.add({ owner: userIn(store), name: `flood-${number}` })
      }),
    input: { query: 'flood' },
    count: 230,
  },
  'search.users': {
    given: store =>
      times(230, number => {
        store.accounts.addUser({ login: `flood-${number}` })
      }),
    input: { query: 'flood' },
    count: 230,
  },
  'search.code': {
    given: store => {
      const changes: Record<string, string> = {}
      times(230, number => {
        changes[`flood/${number}.txt`] = 'deluge\n'
      })
      store.git.commit(repositoryIn(store), { author: userIn(store), message: 'Flood', changes })
    },
    input: { query: 'deluge' },
    count: 230,
  },
}
