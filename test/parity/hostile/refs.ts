import { hello, repositoryIn, userIn } from '../worlds.ts'
import type { HostileUse } from './cases.ts'
import {
  addBranches,
  addReleases,
  addWorkflows,
  branches,
  everyName,
  fileAt,
  lastPull,
  lastRun,
  newTags,
  pullFrom,
  pullNumber,
  releaseOf,
  startRuns,
  tagNames,
} from './world.ts'

const withBranches: HostileUse['given'] = (store, one) => addBranches(store, everyName(one))
const withDecoyBranches: HostileUse['given'] = (store, { decoys }) => addBranches(store, decoys)

export const branchUses: readonly HostileUse[] = [
  {
    capability: 'repo.branch.delete',
    kind: 'ref',
    member: 'branch',
    all: true,
    input: branch => ({ ...hello, branch }),
    given: withBranches,
    leaves: ({ decoys }) => ({ look: branches, see: decoys.toSorted() }),
  },
  {
    capability: 'repo.branch.create',
    kind: 'ref',
    member: 'branch',
    all: true,
    input: branch => ({ ...hello, branch }),
    given: withDecoyBranches,
    leaves: one => ({ look: branches, see: everyName(one).toSorted() }),
  },
  {
    capability: 'repo.branch.create',
    kind: 'ref',
    member: 'from',
    input: from => ({ ...hello, branch: 'new', from }),
    given: withBranches,
    leaves: ({ name }) => ({ look: store => fileAt(store, 'which.txt', 'new'), see: name }),
  },
  {
    capability: 'repo.commit.view',
    kind: 'ref',
    member: 'ref',
    all: true,
    input: ref => ({ ...hello, ref }),
    given: withBranches,
    answers: ({ name }) => ({ look: data => data.message, see: `On ${name}` }),
  },
  {
    capability: 'repo.commits.list',
    kind: 'ref',
    member: 'ref',
    all: true,
    input: ref => ({ ...hello, ref, first: 1 }),
    given: withBranches,
    answers: ({ name }) => ({ look: data => data.items[0].message, see: `On ${name}` }),
  },
  {
    capability: 'repo.compare',
    kind: 'ref',
    member: 'head',
    input: head => ({ ...hello, base: 'main', head }),
    given: withBranches,
    answers: ({ name }) => ({ look: data => data.commits[0].message, see: `On ${name}` }),
  },
  {
    capability: 'repo.compare',
    kind: 'ref',
    member: 'base',
    input: base => ({ ...hello, base, head: 'main' }),
    given: withBranches,
    answers: () => ({ look: data => [data.status, data.behindBy], see: ['BEHIND', 1] }),
  },
  {
    capability: 'repo.contents.view',
    kind: 'ref',
    member: 'ref',
    input: ref => ({ ...hello, path: 'which.txt', ref }),
    given: withBranches,
    answers: ({ name }) => ({ look: data => data.content, see: name }),
  },
  {
    capability: 'repo.contents.put',
    kind: 'ref',
    member: 'branch',
    input: branch => ({ ...hello, path: 'new.txt', message: 'New', content: 'x', branch }),
    given: withBranches,
    leaves: one => ({
      look: store => everyName(one).map(branch => fileAt(store, 'new.txt', branch)),
      see: ['x', ...one.decoys.map(() => null)],
    }),
  },
  {
    capability: 'repo.tree.list',
    kind: 'ref',
    member: 'ref',
    input: ref => ({ ...hello, ref, first: 100 }),
    given: withBranches,
  },
  {
    capability: 'pr.create',
    kind: 'ref',
    member: 'head',
    input: head => ({ ...hello, title: 'New', head, base: 'main' }),
    given: withBranches,
    leaves: ({ name }) => ({ look: lastPull, see: [name, 'main'] }),
  },
  {
    capability: 'pr.create',
    kind: 'ref',
    member: 'base',
    input: base => ({ ...hello, title: 'New', head: 'topic-4', base }),
    given: withBranches,
    leaves: ({ name }) => ({ look: lastPull, see: ['topic-4', name] }),
  },
  {
    capability: 'workflow.runs.list',
    kind: 'ref',
    member: 'branch',
    all: true,
    input: branch => ({ ...hello, branch }),
    given: (store, one) => startRuns(store, everyName(one)),
    answers: ({ name }) => ({
      look: data => data.items.map((item: { headBranch: string }) => item.headBranch),
      see: [name],
    }),
  },
  {
    capability: 'workflow.dispatch',
    kind: 'ref',
    member: 'ref',
    input: ref => ({ ...hello, workflowId: 'plain.yml', ref }),
    given: (store, one) => {
      addBranches(store, everyName(one))
      addWorkflows(store, ['plain.yml'])
    },
    leaves: ({ name }) => ({ look: lastRun, see: ['.github/workflows/plain.yml', name] }),
  },
]

/** Each branch has an owner of its own whom GitHub does not know. */
const addOwners: HostileUse['given'] = (store, one) => {
  for (const [index, branch] of everyName(one).entries()) {
    const changes = { CODEOWNERS: `* @nobody-${index}\n` }
    store.git.commit(repositoryIn(store), {
      author: userIn(store),
      message: 'Own',
      changes,
      branch,
    })
  }
}

export const ownedUses: readonly HostileUse[] = [
  {
    capability: 'repo.codeowners.errors.list',
    kind: 'ref',
    member: 'ref',
    all: true,
    input: ref => ({ ...hello, ref }),
    given: addOwners,
    answers: () => ({ look: data => data.items[0].source, see: '* @nobody-0' }),
  },
  {
    capability: 'workflow.caches.list',
    kind: 'ref',
    member: 'ref',
    all: true,
    input: ref => ({ ...hello, ref }),
    given: (store, one) => {
      for (const ref of everyName(one)) {
        const repository = repositoryIn(store)
        store.administration.addCache({ repository, size: 1, key: 'k', ref })
      }
    },
    answers: ({ name }) => ({
      look: data => data.items.map((item: { ref: string }) => item.ref),
      see: [name],
    }),
  },
]

/** Capabilities that get the name of a branch from a pull request. */
export const pullUses: readonly HostileUse[] = (['pr.close', 'pr.merge'] as const).map(
  capability => ({
    capability,
    kind: 'ref',
    member: null,
    input: (head, store) => ({ ...hello, prNumber: pullNumber(store, head), deleteBranch: true }),
    given: (store, one) => {
      addBranches(store, one.decoys)
      pullFrom(store, one.name)
    },
    leaves: ({ decoys }) => ({ look: branches, see: decoys.toSorted() }),
  }),
)

export const tagUses: readonly HostileUse[] = [
  {
    capability: 'release.view',
    kind: 'ref',
    member: 'tagName',
    all: true,
    input: tagName => ({ ...hello, tagName }),
    given: (store, one) => addReleases(store, everyName(one)),
    answers: ({ name }) => ({ look: data => data.name, see: `Of ${name}` }),
  },
  {
    capability: 'release.create',
    kind: 'ref',
    member: 'tagName',
    input: tagName => ({ ...hello, tagName }),
    given: (store, { decoys }) => addReleases(store, decoys),
    leaves: one => ({ look: tagNames, see: everyName(one).toSorted() }),
  },
  {
    capability: 'release.create',
    kind: 'ref',
    member: 'targetCommitish',
    input: targetCommitish => ({ ...hello, tagName: 'v5', targetCommitish }),
    given: withBranches,
    answers: ({ name }) => ({ look: data => data.targetCommitish, see: name }),
  },
  {
    capability: 'release.update',
    kind: 'ref',
    member: 'tagName',
    input: (tagName, store) => ({ ...hello, releaseId: releaseOf(store, 'v1.0.0'), tagName }),
    given: (store, { decoys }) => addReleases(store, decoys),
    answers: ({ name }) => ({ look: data => data.tagName, see: name }),
  },
  {
    capability: 'release.publish',
    kind: 'ref',
    member: null,
    input: (tagName, store) => ({ ...hello, releaseId: releaseOf(store, tagName) }),
    given: (store, one) => addReleases(store, everyName(one), true),
    leaves: ({ name }) => ({ look: newTags, see: [name] }),
  },
]
