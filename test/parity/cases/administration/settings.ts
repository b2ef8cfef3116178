import type { Store } from '../../../../sandbox/index.ts'
import type { Data, ParityCases } from '../../case.ts'
import { addForeign, attic, foreign, hello, repositoryIn, userIn } from '../../worlds.ts'

const nothing = { owner: 'octo-org', name: 'nothing-here' }
const onlyRest = { graphql: 'changes neither visibility, default branch nor ways of merging' }
const hostileBranches = ['feature#1', 'a%2Fb', 'c+d', '🚂']

const addBranches = (store: Store) => {
  for (const branch of hostileBranches) {
    const changes = { 'which.txt': branch }
    store.git.commit(repositoryIn(store), {
      author: userIn(store),
      message: 'One',
      changes,
      branch,
    })
  }
}

const onlyGraphql = {
  rest: 'shows the ways of merging only to those who may write',
  cli: 'shows the ways of merging only to those who may write',
}

export const cases: ParityCases = {
  'repo.settings.view': [
    { input: hello },
    { input: attic, title: 'an archived one' },
    {
      input: hello,
      title: 'changed ones',
      given: store => {
        const repository = repositoryIn(store)
        repository.merging.methods = new Set(['rebase'])
        repository.merging.allowsAutoMerge = true
        repository.hasWiki = false
      },
      answers: {
        look: data => [data.allowMergeCommit, data.allowRebaseMerge, data.hasWiki],
        see: [false, true, false],
      },
    },
    ...hostileBranches.map(defaultBranch => ({
      input: hello,
      given: (store: Store) => {
        addBranches(store)
        repositoryIn(store).defaultBranch = defaultBranch
      },
      title: defaultBranch,
      answers: { look: (data: Data) => data.defaultBranch, see: defaultBranch },
    })),
    { input: foreign, given: addForeign, title: 'of others', except: onlyGraphql },
    { input: nothing, fails: 'NOT_FOUND' },
  ],
  'repo.update': [
    {
      input: { ...hello, description: '50 % off — "ü" & 🚂', homepageUrl: 'https://x.test/?a=b#c' },
      leaves: { look: store => repositoryIn(store).homepageUrl, see: 'https://x.test/?a=b#c' },
    },
    { input: { ...hello, description: '', homepageUrl: '' }, title: 'clear' },
    { input: { ...hello, hasIssues: false, hasWiki: false } },
    { input: { ...hello, visibility: 'PRIVATE' }, except: onlyRest },
    { input: { ...hello, allowMergeCommit: false, allowAutoMerge: true }, except: onlyRest },
    ...hostileBranches.map(defaultBranch => ({
      input: { ...hello, defaultBranch },
      given: addBranches,
      except: onlyRest,
      leaves: { look: (store: Store) => repositoryIn(store).defaultBranch, see: defaultBranch },
    })),
    { input: { ...attic, description: 'New' }, fails: 'FORBIDDEN' },
    { input: { ...foreign, description: 'New' }, given: addForeign, fails: 'FORBIDDEN' },
    { input: { ...nothing, description: 'New' }, fails: 'NOT_FOUND' },
  ],
  'repo.archive': [
    { input: hello, leaves: { look: store => repositoryIn(store).isArchived, see: true } },
    { input: attic, title: 'an archived one' },
    { input: foreign, given: addForeign, fails: 'FORBIDDEN' },
    { input: nothing, fails: 'NOT_FOUND' },
  ],
  'repo.unarchive': [
    { input: attic, leaves: { look: store => repositoryIn(store, attic).isArchived, see: false } },
    { input: hello, title: 'one that is not archived' },
    { input: foreign, title: 'one of others, which is not archived', given: addForeign },
    { input: nothing, fails: 'NOT_FOUND' },
  ],
}
