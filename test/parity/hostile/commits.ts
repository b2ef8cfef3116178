import type { Store } from '../../../sandbox/index.ts'
import { hello, repositoryIn, userIn } from '../worlds.ts'
import type { HostileUse } from './cases.ts'
import { addBranches, addFiles, branches, everyName, fileAt, headOf, newTags } from './world.ts'

const withBranches: HostileUse['given'] = (store, one) => addBranches(store, everyName(one))
const withFiles: HostileUse['given'] = (store, one) => addFiles(store, everyName(one))
const NO_SHA = '0'.repeat(40)

function addTags(store: Store, names: readonly string[]): void {
  for (const name of names) {
    const changes = { 'which.txt': name }
    const message = `On ${name}`
    const { oid } = store.git.commit(repositoryIn(store), {
      author: userIn(store),
      message,
      changes,
    })
    store.git.createTag(repositoryIn(store), { name, oid })
  }
}

const withTags: HostileUse['given'] = (store, one) => addTags(store, everyName(one))

const addStatuses: HostileUse['given'] = (store, one) => {
  addBranches(store, everyName(one))
  for (const branch of everyName(one)) {
    const fields = { state: 'success', creator: userIn(store), context: branch } as const
    store.checks.addStatus(repositoryIn(store), { ...fields, sha: headOf(store, branch) })
  }
}

const fileUses: readonly HostileUse[] = [
  {
    capability: 'repo.contents.delete',
    kind: 'file',
    member: 'path',
    input: (path, store) => {
      const entry = path && store.git.object(repositoryIn(store), `main:${path}`)
      return { ...hello, path, message: 'Away', sha: (entry && entry.oid) || NO_SHA }
    },
    given: withFiles,
    leaves: one => ({
      look: store => everyName(one).map(path => fileAt(store, path)),
      see: [null, ...one.decoys],
    }),
  },
  {
    capability: 'repo.commit.create',
    kind: 'file',
    member: 'changes',
    input: path => ({
      ...hello,
      branch: 'main',
      message: 'New',
      changes: [{ path, content: 'written' }],
    }),
    given: (store, { decoys }) => addFiles(store, decoys),
    leaves: one => ({
      look: store => everyName(one).map(path => fileAt(store, path)),
      see: ['written', ...one.decoys],
    }),
  },
  {
    capability: 'repo.blame.view',
    kind: 'file',
    member: 'path',
    input: path => ({ ...hello, path }),
    given: withFiles,
    answers: ({ name }) => ({
      look: data => data.ranges[0].commit.message,
      see: `At ${name}`,
    }),
  },
]

const branchUses: readonly HostileUse[] = [
  {
    capability: 'repo.commit.create',
    kind: 'ref',
    member: 'branch',
    input: branch => ({
      ...hello,
      branch,
      message: 'New',
      changes: [{ path: 'new.txt', content: 'x' }],
    }),
    given: withBranches,
    leaves: one => ({
      look: store => everyName(one).map(branch => fileAt(store, 'new.txt', branch)),
      see: ['x', ...one.decoys.map(() => null)],
    }),
  },
  {
    capability: 'repo.commit.statuses.list',
    kind: 'ref',
    member: 'ref',
    input: ref => ({ ...hello, ref }),
    given: addStatuses,
    answers: ({ name }) => ({ look: data => data.items[0].context, see: name }),
  },
  {
    capability: 'repo.commit.status.view',
    kind: 'ref',
    member: 'ref',
    input: ref => ({ ...hello, ref }),
    given: addStatuses,
    answers: ({ name }) => ({ look: data => data.statuses[0].context, see: name }),
  },
  {
    capability: 'repo.blame.view',
    kind: 'ref',
    member: 'ref',
    input: ref => ({ ...hello, path: 'which.txt', ref }),
    given: withBranches,
    answers: ({ name }) => ({ look: data => data.ranges[0].commit.message, see: `On ${name}` }),
  },
  {
    capability: 'repo.branch.rename',
    kind: 'ref',
    member: 'branch',
    input: branch => ({ ...hello, branch, newName: 'renamed' }),
    given: withBranches,
    leaves: ({ decoys }) => ({ look: branches, see: [...decoys, 'renamed'].toSorted() }),
  },
  {
    capability: 'repo.branch.rename',
    kind: 'ref',
    member: 'newName',
    input: newName => ({ ...hello, branch: 'topic-24', newName }),
    given: (store, { decoys }) => addBranches(store, decoys),
    leaves: one => ({ look: branches, see: everyName(one).toSorted() }),
  },
]

const tagUses: readonly HostileUse[] = [
  {
    capability: 'repo.tag.view',
    kind: 'ref',
    member: 'tag',
    input: tag => ({ ...hello, tag }),
    given: withTags,
    answers: ({ name }) => ({ look: data => data.name, see: name }),
  },
  {
    capability: 'repo.tag.create',
    kind: 'ref',
    member: 'tag',
    input: tag => ({ ...hello, tag }),
    given: (store, { decoys }) => addTags(store, decoys),
    leaves: one => ({ look: newTags, see: everyName(one).toSorted() }),
  },
  {
    capability: 'repo.tag.create',
    kind: 'ref',
    member: 'from',
    input: from => ({ ...hello, tag: 'new', from }),
    given: withBranches,
    leaves: ({ name }) => ({ look: store => fileAt(store, 'which.txt', 'new'), see: name }),
  },
  {
    capability: 'repo.tag.delete',
    kind: 'ref',
    member: 'tag',
    input: tag => ({ ...hello, tag }),
    given: withTags,
    leaves: ({ decoys }) => ({ look: newTags, see: decoys.toSorted() }),
  },
]

/** Files, branches and tags of capabilities that write or read commits. */
export const commitUses: readonly HostileUse[] = [...fileUses, ...branchUses, ...tagUses]
