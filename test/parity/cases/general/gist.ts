import type { Store } from '../../../../sandbox/index.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { times, userIn } from '../../worlds.ts'

function gistOf(store: Store, login: string, index = 0) {
  return { gistId: store.gists.of(userIn(store, login))[index]?.name }
}

export const cases: ParityCases = {
  'gist.view': [
    { input: store => gistOf(store, 'octocat', 1), title: 'a public one' },
    { input: store => gistOf(store, 'octocat'), title: 'a secret one' },
    { input: store => gistOf(store, 'hubot'), title: "another's" },
    { input: { gistId: '0123456789abcdef' }, fails: 'NOT_FOUND' },
    { input: { gistId: '../user' }, fails: 'VALIDATION' },
  ],
  'gist.list': [{ input: {} }, { input: { first: 1 } }],
  'gist.create': [
    { input: { files: { 'a.txt': 'One file.\n' } } },
    {
      title: 'several files in public',
      input: {
        public: true,
        description: 'Two of them',
        files: { '--method=DELETE': '$(reboot)', 'b "quoted".md': '# ü\n' },
      },
    },
    { input: { files: {} }, fails: 'VALIDATION' },
    { input: { files: { 'a.txt': ' ' } }, fails: 'VALIDATION' },
    { input: { files: { '../a.txt': 'x' } }, fails: 'VALIDATION' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  // The seed has two of octocat's gists.
  'gist.list': {
    given: store =>
      times(228, number => {
        const files = { [`${number}.txt`]: 'x' }
        store.gists.add({
          owner: userIn(store),
          description: null,
          isPublic: number % 2 === 0,
          files,
        })
      }),
    input: {},
    count: 230,
  },
}
