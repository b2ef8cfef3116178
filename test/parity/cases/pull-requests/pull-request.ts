import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { hello, repositoryIn, spoon, times, userIn } from '../../worlds.ts'

export const cases: ParityCases = {
  'pr.list': [
    { input: hello },
    { input: { ...hello, state: 'closed' } },
    { input: { ...hello, state: 'all', first: 4 } },
    {
      input: { ...hello, headRefName: 'topic-4' },
      answers: { look: ({ items }) => items.length, see: 1 },
    },
    { input: { ...hello, headRefName: 'no-such-branch' }, title: 'a branch without any' },
    { input: spoon, title: 'an empty list' },
    { input: { owner: 'octo-org', name: 'nothing-here' }, fails: 'NOT_FOUND' },
  ],
  'pr.view': [
    { input: { ...hello, prNumber: 4 } },
    { input: { ...hello, prNumber: 4, exclude: ['body'] } },
    { input: { ...hello, prNumber: 8 }, title: 'a draft' },
    { input: { ...hello, prNumber: 16 }, title: 'a merged one' },
    { input: { ...hello, prNumber: 1 }, title: 'an issue', fails: 'NOT_FOUND' },
    { input: { ...hello, prNumber: 9999 }, fails: 'NOT_FOUND' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'pr.list': {
    given: store =>
      times(230, number => {
        const fields = { title: `Change ${number}`, author: userIn(store), head: `topic-${number}` }
        store.pullRequests.add(repositoryIn(store, spoon), fields)
      }),
    input: { ...spoon, state: 'all' },
    count: 230,
  },
}
