import type { ManyItemsByCapability, ParityCases } from '../case.ts'
import { hello, repositoryIn, spoon, times, userIn } from '../worlds.ts'

export const cases: ParityCases = {
  'release.list': [
    { input: hello },
    { input: { ...hello, first: 4 } },
    { input: spoon, title: 'an empty list' },
    { input: { owner: 'octo-org', name: 'nothing-here' }, fails: 'NOT_FOUND' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'release.list': {
    given: store =>
      times(230, number => {
        const author = userIn(store)
        store.releases.add(repositoryIn(store, spoon), { tagName: `v${number}`, author })
      }),
    input: spoon,
    count: 230,
  },
}
