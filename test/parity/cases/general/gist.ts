import type { Store } from '../../../../sandbox/index.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { times, userIn } from '../../worlds.ts'

function gistOf(store: Store, login: string, index = 0) {
  return { gistId: store.gists.of(userIn(store, login))[index]?.name }
}

/** The description of one of octocat's gists, and its files. */
function shown(store: Store, index = 1) {
  const gist = store.gists.of(userIn(store))[index]
  return [gist?.description, ...(gist?.files ?? [])]
}

export const cases: ParityCases = {
  'gist.view': [
    { input: store => gistOf(store, 'octocat', 1), title: 'a public one' },
    { input: store => gistOf(store, 'octocat'), title: 'a secret one' },
    { input: store => gistOf(store, 'hubot'), title: "another's" },
    {
      title: 'a fork with comments',
      given: store => {
        const owner = userIn(store)
        const [forkOf = null] = store.gists.of(userIn(store, 'hubot'))
        const files = { 'beep.txt': 'boop\n' }
        store.gists.add({ owner, description: '', isPublic: true, files, forkOf, commentCount: 3 })
      },
      input: store => gistOf(store, 'octocat'),
      answers: {
        look: ({ forkOf, commentCount }) => [typeof forkOf, commentCount],
        see: ['string', 3],
      },
    },
    { input: { gistId: '0123456789abcdef' }, fails: 'NOT_FOUND' },
    { input: { gistId: '../user' }, fails: 'VALIDATION' },
  ],
  'gist.update': [
    {
      title: 'change, add and delete files, and the description',
      input: store => ({
        ...gistOf(store, 'octocat', 1),
        description: 'New',
        files: { 'hello.md': '# Again\n', '--method=DELETE': '$(reboot)' },
        deleteFiles: ['a note.txt'],
      }),
      leaves: {
        look: shown,
        see: ['New', ['--method=DELETE', '$(reboot)'], ['hello.md', '# Again\n']],
      },
    },
    {
      title: 'nothing but the description',
      input: store => ({ ...gistOf(store, 'octocat'), description: '' }),
      leaves: {
        look: store => shown(store, 0),
        see: ['', ['secret.txt', 'Tell nobody.\n']],
      },
    },
    {
      title: 'delete a file that is not there',
      input: store => ({ ...gistOf(store, 'octocat', 1), deleteFiles: ['none.txt'] }),
      leaves: {
        look: store => shown(store).length,
        see: 3,
      },
    },
    {
      title: 'delete the last file',
      input: store => ({ ...gistOf(store, 'octocat'), deleteFiles: ['secret.txt'] }),
      fails: 'VALIDATION',
    },
    {
      title: 'change and delete the same file',
      input: store => ({
        ...gistOf(store, 'octocat', 1),
        files: { 'hello.md': 'x' },
        deleteFiles: ['hello.md'],
      }),
      fails: 'VALIDATION',
    },
    {
      title: "another's",
      input: store => ({ ...gistOf(store, 'hubot'), description: 'Mine' }),
      fails: 'NOT_FOUND',
    },
    { input: store => gistOf(store, 'octocat'), title: 'no change at all', fails: 'VALIDATION' },
    { input: { gistId: '0123456789abcdef', description: 'x' }, fails: 'NOT_FOUND' },
  ],
  'gist.delete': [
    {
      input: store => gistOf(store, 'octocat'),
      leaves: { look: store => store.gists.of(userIn(store)).length, see: 1 },
    },
    {
      title: "another's",
      input: store => gistOf(store, 'hubot'),
      fails: 'NOT_FOUND',
    },
    { input: { gistId: '0123456789abcdef' }, fails: 'NOT_FOUND' },
  ],
  'gist.list': [
    { input: {} },
    { input: { first: 1 } },
    { input: { login: 'OctoCat' }, title: 'the public ones of oneself' },
    {
      input: { login: 'mallory' },
      title: 'the public ones of another',
      given: store => {
        const add = (isPublic: boolean, name: string) =>
          store.gists.add({
            owner: userIn(store, 'mallory'),
            description: null,
            isPublic,
            files: { [name]: 'x' },
          })
        add(true, 'open.txt')
        add(false, 'secret.txt')
      },
      answers: {
        look: data => data.items.map(({ files }: { files: string[] }) => files),
        see: [['open.txt']],
      },
    },
    { input: { login: 'hubot' }, title: 'of one who has none' },
    { input: { login: 'octo-org' }, title: 'of an organization', fails: 'NOT_FOUND' },
    { input: { login: 'nobody-here' }, fails: 'NOT_FOUND' },
    { input: { login: '../user' }, fails: 'VALIDATION' },
  ],
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
