import type { Store } from '../../../../sandbox/index.ts'
import type { Input, ManyItemsByCapability, ParityCase, ParityCases } from '../../case.ts'
import { addForeign, attic, foreign, hello, repositoryIn, times, userIn } from '../../worlds.ts'

/** A name that reads like a status code, of an owner with a hyphen. */
const numbered = { owner: 'octo-org', name: '404' }

function addNumbered(store: Store): void {
  store.repositories.add({ owner: repositoryIn(store).owner, name: numbered.name })
}

const star = (store: Store) => store.following.star(userIn(store), repositoryIn(store))
const watch = (ignored: boolean) => (store: Store) =>
  void store.following.watch(userIn(store), repositoryIn(store), ignored)
const stars = (store: Store) => store.following.starredBy(userIn(store)).map(({ name }) => name)

const unseen = (more: Input = {}): ParityCase[] => [
  { input: { owner: 'octo-org', name: 'nothing-here', ...more }, fails: 'NOT_FOUND' },
  { input: { owner: 'mallory', name: 'hidden', ...more }, fails: 'NOT_FOUND' },
]

const named = (more: Input = {}): ParityCase[] => [
  { input: { ...numbered, ...more }, given: addNumbered },
  ...unseen(more),
]

export const cases: ParityCases = {
  'repo.star': [
    { input: hello, leaves: { look: stars, see: ['hello-world'] } },
    { input: hello, title: 'again', given: star, leaves: { look: stars, see: ['hello-world'] } },
    { input: foreign, title: "another user's", given: addForeign },
    ...named(),
  ],
  'repo.unstar': [
    { input: hello, title: 'a starred one', given: star, leaves: { look: stars, see: [] } },
    { input: attic, title: 'one without a star' },
    ...named(),
  ],
  'repo.starred.view': [
    { input: hello, title: 'no' },
    { input: hello, title: 'yes', given: star },
    ...named(),
  ],
  'viewer.starred.list': [
    { input: {}, title: 'none' },
    {
      input: {},
      title: 'the latest first',
      given: store => {
        addNumbered(store)
        for (const where of [numbered, hello, attic]) {
          store.following.star(userIn(store), repositoryIn(store, where))
        }
      },
      answers: {
        look: data => data.items.map((it: { nameWithOwner: string }) => it.nameWithOwner),
        see: ['octo-org/attic', 'octo-org/hello-world', 'octo-org/404'],
      },
    },
    { input: { first: 0 }, fails: 'VALIDATION' },
  ],
  'repo.subscription.view': [
    { input: hello, title: 'not watched' },
    { input: hello, title: 'watched', given: watch(false) },
    { input: hello, title: 'ignored', given: watch(true) },
    ...named(),
  ],
  'repo.subscription.set': [
    { input: { ...hello, subscription: 'SUBSCRIBED' } },
    { input: { ...hello, subscription: 'IGNORED' }, given: watch(false) },
    ...named({ subscription: 'IGNORED' }),
  ],
  'repo.subscription.delete': [
    { input: hello, title: 'a watched one', given: watch(false) },
    { input: hello, title: 'one that is not watched' },
    ...named(),
  ],
}

export const manyItems: ManyItemsByCapability = {
  'viewer.starred.list': {
    given: store =>
      times(231, number => {
        const owner = userIn(store, 'hubot')
        const repository = store.repositories.add({ owner, name: `r-${number}` })
        store.following.star(userIn(store), repository)
      }),
    input: {},
    count: 231,
  },
}
