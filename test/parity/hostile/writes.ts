import type { Store } from '../../../sandbox/index.ts'
import type { Input } from '../case.ts'
import { hello, repositoryIn, userIn } from '../worlds.ts'
import type { HostileUse } from './cases.ts'
import { addLabels, everyName } from './world.ts'

const last = (store: Store) => [...repositoryIn(store).items.values()].at(-1)?.number ?? 0
const fresh = { title: 'New', head: 'fresh', base: 'main' }

function addBranch(store: Store): void {
  const fields = { author: userIn(store), message: 'New', changes: { 'new.txt': 'x' } }
  store.git.commit(repositoryIn(store), { ...fields, branch: fresh.head })
}

/** Each input, and the number of the issue or pull request that then has the label. */
const TAKERS: readonly (readonly [string, Input, (store: Store) => number])[] = [
  ['issue.create', { title: 'New' }, last],
  ['issue.update', { issueNumber: 1 }, () => 1],
  ['pr.create', fresh, last],
  ['pr.update', { prNumber: 4 }, () => 4],
]

function releaseIn(store: Store) {
  const release = repositoryIn(store).releases.find(({ tagName }) => tagName === 'v0.8.0')
  if (!release) throw new Error('the seed has no v0.8.0')
  return release
}

/** The text that GitHub shows in place of the name of a file. */
export const assetUses: readonly HostileUse[] = [
  {
    capability: 'release.assets.upload',
    kind: 'key',
    member: 'label',
    input: (label, store) => ({
      ...hello,
      releaseId: releaseIn(store).databaseId,
      assetName: 'a.txt',
      content: 'YWJj',
      label,
    }),
    given: () => {},
    leaves: ({ name }) => ({
      look: store => releaseIn(store).assets.map(({ label }) => label),
      see: [name],
    }),
  },
]

/** Capabilities that take labels beside other members. */
export const writtenLabelUses: readonly HostileUse[] = TAKERS.map(
  ([capability, input, numberOf]) => ({
    capability,
    kind: 'label',
    member: 'labels',
    input: label => ({ ...hello, ...input, labels: [label] }),
    given: (store, one) => {
      addBranch(store)
      addLabels(store, everyName(one))
    },
    leaves: ({ name }) => ({
      look: store =>
        repositoryIn(store)
          .items.get(numberOf(store))
          ?.labels.map(label => label.name),
      see: [name],
    }),
  }),
)
