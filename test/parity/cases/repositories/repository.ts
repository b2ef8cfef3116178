import type { Store } from '../../../../sandbox/index.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { filteredRepositories } from '../../filters/planning.ts'
import { hello, repositoryIn, spoon, times, userIn } from '../../worlds.ts'

const secret = { owner: 'octo-org', name: 'secret-plans' }
const attic = { owner: 'octo-org', name: 'attic' }
const nothing = { owner: 'octo-org', name: 'nothing-here' }
const hidden = { owner: 'mallory', name: 'hidden' }
const onlyPublic = { rest: 'has only the public ones' }

/** Another user's repository, which octocat may only read. */
function addForeign(store: Store): void {
  store.repositories.add({ owner: userIn(store, 'mallory'), name: 'open' })
}

export const cases: ParityCases = {
  'repo.view': [
    { input: hello },
    { input: secret, title: 'a private repository' },
    { input: attic, title: 'an archived repository' },
    {
      input: { owner: 'octocat', name: 'fresh' },
      title: 'an empty repository',
      given: store => {
        store.repositories.create({ owner: userIn(store), name: 'fresh' }, false)
      },
      except: { graphql: 'knows no branch' },
    },
    {
      input: { owner: 'octocat', name: 'hello-world' },
      title: 'a fork',
      given: store => {
        const owner = userIn(store)
        store.repositories.fork(repositoryIn(store), { owner, by: owner, onlyDefaultBranch: false })
      },
      answers: {
        look: ({ isFork, parent, licenseInfo }) => [isFork, parent, licenseInfo],
        see: [true, 'octo-org/hello-world', 'mit'],
      },
    },
    { input: nothing, fails: 'NOT_FOUND' },
    { input: hidden, fails: 'NOT_FOUND' },
  ],
  'repo.list': [
    { input: { owner: 'octo-org', visibility: 'public' } },
    { input: { owner: 'octo-org' }, title: 'private ones too', except: onlyPublic },
    { input: { owner: 'octocat', visibility: 'private' }, title: 'none', except: onlyPublic },
    { input: { owner: 'octo-org', visibility: 'public', first: 2 } },
    ...filteredRepositories,
    {
      input: { owner: 'octocat', visibility: 'public' },
      title: 'with a fork',
      given: store => {
        const [owner] = [userIn(store)]
        store.repositories.fork(repositoryIn(store), { owner, by: owner, onlyDefaultBranch: false })
      },
    },
    { input: { owner: 'mallory', visibility: 'public' }, title: 'nothing that can be seen' },
    { input: { owner: 'nobody-at-all', visibility: 'public' }, fails: 'NOT_FOUND' },
  ],
  'repo.create': [
    { input: { owner: 'octocat', name: 'fresh' } },
    { input: { owner: 'octo-org', name: 'fresh', visibility: 'PUBLIC', description: 'For all.' } },
    {
      input: {
        owner: 'octocat',
        name: 'fresh',
        autoInit: true,
        homepageUrl: 'https://example.test',
      },
      except: { graphql: 'makes only empty ones' },
    },
    { input: spoon, title: 'one that is there', fails: 'CONFLICT' },
    { input: { owner: 'hubot', name: 'fresh' }, title: 'for somebody else', fails: 'VALIDATION' },
    { input: { owner: 'nobody-at-all', name: 'fresh' }, fails: 'NOT_FOUND' },
    { input: { owner: 'octocat', name: 'a/b' }, fails: 'VALIDATION' },
  ],
  'repo.fork': [
    { input: hello },
    { input: { ...hello, forkName: 'mine', defaultBranchOnly: true } },
    { input: { ...spoon, organization: 'octo-org' } },
    {
      input: hello,
      title: 'a second time',
      given: store => {
        const owner = userIn(store)
        store.repositories.fork(repositoryIn(store), { owner, by: owner, onlyDefaultBranch: true })
      },
    },
    {
      input: { owner: 'octo-org', name: 'bare' },
      title: 'one without content',
      given: store => {
        const { owner } = repositoryIn(store)
        store.repositories.create({ owner, name: 'bare' }, false)
      },
      fails: 'FORBIDDEN',
    },
    { input: nothing, fails: 'NOT_FOUND' },
    { input: hidden, fails: 'NOT_FOUND' },
  ],
  'repo.topics.set': [
    { input: { ...hello, topics: ['zebra', 'api'] } },
    { input: { ...hello, topics: [] }, title: 'none' },
    {
      input: { ...attic, topics: ['api'] },
      title: 'in an archived repository',
      fails: 'FORBIDDEN',
    },
    {
      input: { owner: 'mallory', name: 'open', topics: ['api'] },
      title: 'without the right to',
      given: addForeign,
      fails: 'FORBIDDEN',
    },
    { input: { ...nothing, topics: ['api'] }, fails: 'NOT_FOUND' },
    { input: { ...hello, topics: ['No Topic'] }, fails: 'VALIDATION' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'repo.list': {
    given: store =>
      times(231, number => {
        store.repositories.add({ owner: userIn(store, 'hubot'), name: `r-${number}` })
      }),
    input: { owner: 'hubot', visibility: 'public' },
    count: 231,
  },
}
