import type { Store } from '../../../../sandbox/index.ts'
import type { ParityCases } from '../../case.ts'
import { attic, hello, pullIn, repositoryIn } from '../../worlds.ts'

const tags = (store: Store) =>
  store.git.refs(repositoryIn(store), 'refs/tags/').map(({ name }) => name.slice(10))

const tagSha = (store: Store, name: string) => store.git.tag(repositoryIn(store), name)?.oid

export const cases: ParityCases = {
  'repo.branch.rename': [
    { input: { ...hello, branch: 'topic-24', newName: 'fix/24' } },
    { input: { ...hello, branch: 'nowhere', newName: 'there' }, fails: 'NOT_FOUND' },
    {
      input: { ...hello, branch: 'main', newName: 'trunk' },
      title: 'the default branch',
      leaves: {
        look: store => [repositoryIn(store).defaultBranch, pullIn(store, 4).base.name],
        see: ['trunk', 'trunk'],
      },
    },
    { input: { ...hello, branch: 'topic-4', newName: 'topic-8' }, fails: 'CONFLICT' },
    { input: { ...hello, branch: 'topic-4', newName: 'a b' }, fails: 'VALIDATION' },
    { input: { ...attic, branch: 'main', newName: 'trunk' }, fails: 'FORBIDDEN' },
  ],
  'repo.tag.view': [
    { input: { ...hello, tag: 'v0.8.0' } },
    { input: { ...hello, tag: 'v9' }, fails: 'NOT_FOUND' },
    { input: { ...hello, tag: 'v1.0.0-rc.1' }, title: 'an annotated one' },
    { input: { ...hello, tag: 'main' }, title: 'a branch', fails: 'NOT_FOUND' },
  ],
  'repo.tag.create': [
    { input: { ...hello, tag: 'v2', from: 'topic-4' } },
    { input: { ...hello, tag: 'v2', from: 'nowhere' }, fails: 'NOT_FOUND' },
    { input: { ...hello, tag: 'v2' }, title: 'at the default branch' },
    {
      input: { ...hello, tag: 'v2', message: 'The second.\n\nBetter.' },
      title: 'an annotated one',
      except: { graphql: 'creates no annotated tags' },
    },
    { input: { ...hello, tag: 'v0.8.0' }, title: 'one that exists', fails: 'CONFLICT' },
    { input: { ...hello, tag: 'v2', from: 'v1.0.0-rc.1' }, title: 'at an annotated tag' },
    { input: { ...attic, tag: 'v2' }, fails: 'FORBIDDEN' },
  ],
  'repo.tag.delete': [
    {
      input: { ...hello, tag: 'v0.8.0' },
      leaves: { look: store => tags(store).includes('v0.8.0'), see: false },
    },
    { input: { ...hello, tag: 'v9' }, fails: 'NOT_FOUND' },
    {
      input: store => ({ ...hello, tag: 'v1.0.0-rc.1', sha: tagSha(store, 'v1.0.0-rc.1') }),
      title: 'an annotated one',
    },
    { input: { ...hello, tag: 'v0.8.0', sha: '0'.repeat(40) }, fails: 'CONFLICT' },
    { input: { ...hello, tag: '--force' }, fails: 'VALIDATION' },
  ],
}
