import type { ManyItemsByCapability, ParityCases } from '../case.ts'
import { hello, issueIn, repositoryIn, spoon, times, userIn } from '../worlds.ts'

const attic = { owner: 'octo-org', name: 'attic' }

export const cases: ParityCases = {
  'issue.list': [
    { input: hello },
    { input: { ...hello, state: 'closed', first: 3 } },
    { input: { ...hello, state: 'all', first: 100 } },
    { input: { owner: 'octo-org', name: 'nothing-here' }, fails: 'NOT_FOUND' },
  ],
  'issue.view': [
    { input: { ...hello, issueNumber: 1 } },
    { input: { ...hello, issueNumber: 5 }, title: 'one without a body' },
    { input: { ...hello, issueNumber: 4 }, title: 'a pull request', fails: 'NOT_FOUND' },
    { input: { ...hello, issueNumber: 9999 }, fails: 'NOT_FOUND' },
  ],
  'issue.comments.list': [
    { input: { ...hello, issueNumber: 2 } },
    { input: { ...hello, issueNumber: 4 }, title: 'of a pull request' },
    { input: { ...hello, issueNumber: 3 }, title: 'an empty list' },
  ],
  'issue.create': [
    { input: { ...hello, title: 'A new issue', body: 'with a body' } },
    { input: { ...hello, title: 'Without a body' } },
    { input: { ...attic, title: 'x' }, title: 'in an archived repository', fails: 'FORBIDDEN' },
  ],
  'issue.update': [
    { input: { ...hello, issueNumber: 1, title: 'Renamed' } },
    { input: { ...hello, issueNumber: 1, body: '' } },
  ],
  'issue.close': [
    { input: { ...hello, issueNumber: 1 } },
    { input: { ...hello, issueNumber: 3 }, title: 'one that is closed' },
  ],
  'issue.comments.create': [
    { input: { ...hello, issueNumber: 1, body: 'A comment' } },
    { input: { ...hello, issueNumber: 4, body: 'On a pull request' } },
    { input: { ...hello, issueNumber: 9999, body: 'x' }, fails: 'NOT_FOUND' },
  ],
  'issue.labels.add': [
    { input: { ...hello, issueNumber: 1, labels: ['question', 'good first issue'] } },
  ],
}

export const manyItems: ManyItemsByCapability = {
  // The one issue of the seed, and pull requests in between, which are left out.
  'issue.list': {
    given: store =>
      times(229, number => {
        const author = userIn(store)
        const repository = repositoryIn(store, spoon)
        store.issues.add(repository, { title: `Issue ${number}`, author })
        if (number % 3 > 0) return
        store.pullRequests.add(repository, { title: 'Change', author, head: `topic-${number}` })
      }),
    input: { ...spoon, state: 'all' },
    count: 230,
  },
  'issue.comments.list': {
    given: store =>
      times(230, number =>
        store.comments.add(issueIn(store, 1), { author: userIn(store), body: `Comment ${number}` }),
      ),
    input: { ...hello, issueNumber: 1 },
    count: 230,
  },
}
