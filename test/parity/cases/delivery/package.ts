import type { Store } from '../../../../sandbox/index.ts'
import type { Input, ManyItemsByCapability, ParityCase, ParityCases } from '../../case.ts'
import { repositoryIn, times, userIn } from '../../worlds.ts'

const image = { owner: 'octo-org', packageType: 'container', packageName: 'hello-world' }
const tool = { ...image, packageName: 'tools/lint' }
const left = { owner: 'octo-org', packageType: 'npm', packageName: 'left-right' }
const spoon = { owner: 'octocat', packageType: 'npm', packageName: 'spoon' }

/** Packages whose names are near that of `tools/lint`, which a route reaches if it does not encode. */
function withDecoys(store: Store): void {
  for (const name of ['tools', 'lint', 'tools-lint', 'versions']) {
    const { owner } = repositoryIn(store)
    const added = store.packages.add({ owner, type: 'container', name, createdAt: DAY })
    store.packages.addVersion(added, { name: '1', createdAt: DAY })
  }
}

const DAY = '2026-02-01T00:00:00Z'

/** Another user's private package. */
function withHidden(store: Store): void {
  const owner = userIn(store, 'mallory')
  const hidden = { owner, type: 'npm', name: 'hidden', visibility: 'private' } as const
  store.packages.addVersion(store.packages.add(hidden), { name: '1.0.0' })
}

/** Another user's public package, with two versions. */
function withForeign(store: Store): void {
  const owner = userIn(store, 'mallory')
  const open = store.packages.add({ owner, type: 'npm', name: 'open' })
  times(2, number => store.packages.addVersion(open, { name: `${number}.0.0` }))
}

const foreign = { owner: 'mallory', packageType: 'npm', packageName: 'open' }

function packageIn(store: Store, { owner, packageType, packageName }: typeof image) {
  const account = store.accounts.find(owner)
  const found = account && store.packages.find(account, packageType, packageName)
  if (!found) throw new Error(`there is no package ${packageName}`)
  return found
}

const version =
  (of: typeof image, index = 0) =>
  (store: Store): Input => ({
    ...of,
    packageVersionId: packageIn(store, of).versions[index]?.databaseId,
  })

const names = (of: typeof image) => (store: Store) =>
  packageIn(store, of).versions.flatMap(it => (it.deletedAt === null ? [it.name.slice(-1)] : []))

function removeVersion(store: Store, of: typeof image, index: number): void {
  const removed = packageIn(store, of).versions[index]
  if (removed) store.packages.deleteVersion(removed)
}

const unseen = (more: Input = {}): ParityCase[] => [
  { input: { ...image, packageName: 'none', ...more }, fails: 'NOT_FOUND' },
  { input: { ...image, owner: 'nobody-at-all', ...more }, fails: 'NOT_FOUND' },
  {
    title: "another's, which is private",
    given: withHidden,
    input: { owner: 'mallory', packageType: 'npm', packageName: 'hidden', ...more },
    fails: 'NOT_FOUND',
  },
  { input: { ...image, packageName: '../x', ...more }, fails: 'VALIDATION' },
  { input: { ...image, packageName: 'a/../b', ...more }, fails: 'VALIDATION' },
  { input: { ...image, packageName: '--web', ...more }, fails: 'VALIDATION' },
  { input: { ...image, packageName: 'a?b#c', ...more }, fails: 'VALIDATION' },
]

export const cases: ParityCases = {
  'package.list': [
    {
      input: { owner: 'octo-org', packageType: 'container' },
      answers: {
        look: data => data.items.map((it: { name: string }) => it.name),
        see: ['tools/lint', 'hello-world'],
      },
    },
    { input: { owner: 'octo-org', packageType: 'container', first: 1 } },
    { input: { owner: 'octo-org', packageType: 'npm', visibility: 'PRIVATE' } },
    {
      input: { owner: 'octo-org', packageType: 'npm', visibility: 'PUBLIC' },
      answers: { look: data => data.items, see: [] },
    },
    { input: { owner: 'octocat', packageType: 'npm' }, title: 'of a user' },
    {
      title: "another's, which is private",
      given: withHidden,
      input: { owner: 'mallory', packageType: 'npm' },
      answers: { look: data => data.items, see: [] },
    },
    { input: { owner: 'nobody-at-all', packageType: 'npm' }, fails: 'NOT_FOUND' },
    { input: { owner: 'octo-org', packageType: 'cargo' }, fails: 'VALIDATION' },
  ],
  'package.view': [
    { input: image },
    {
      input: tool,
      title: 'a slash in its name',
      given: withDecoys,
      answers: { look: ({ name, versionCount }) => [name, versionCount], see: ['tools/lint', 1] },
    },
    { input: left, title: 'a private one' },
    { input: spoon, title: 'of a user' },
    ...unseen(),
  ],
  'package.versions.list': [
    {
      input: image,
      answers: {
        look: data => data.items.map((it: { tags: string[] }) => it.tags),
        see: [['v0.2.0', 'latest'], [], ['v0.1.0']],
      },
    },
    { input: { ...image, first: 2 } },
    {
      input: { ...image, state: 'deleted' },
      given: store => removeVersion(store, image, 1),
      answers: { look: data => data.items.length, see: 1 },
    },
    {
      input: { ...spoon, state: 'deleted' },
      title: 'deleted ones of a user',
      except: { rest: 'of organisations only', cli: 'of organisations only' },
    },
    { input: tool, title: 'a slash in its name', given: withDecoys },
    { input: left, title: 'a private one' },
    { input: spoon, title: 'of a user' },
    ...unseen(),
  ],
  'package.version.view': [
    { input: version(image, 2) },
    { input: version(tool), title: 'a slash in its name', given: withDecoys },
    { input: version(left, 1), title: 'with a description' },
    { input: store => ({ ...version(image)(store), ...tool }), fails: 'NOT_FOUND' },
    ...unseen({ packageVersionId: 1 }),
  ],
  'package.version.delete': [
    { input: version(image, 1), leaves: { look: names(image), see: ['a', 'c'] } },
    {
      title: 'a slash in its name',
      given: store => {
        withDecoys(store)
        store.packages.addVersion(packageIn(store, tool), { name: 'sha256:e' })
      },
      input: version(tool),
      leaves: { look: names(tool), see: ['e'] },
    },
    { input: version(spoon), title: 'the last one', fails: 'VALIDATION' },
    { input: version(foreign), title: "another's", given: withForeign, fails: 'FORBIDDEN' },
    { input: { ...image, packageVersionId: 999_999 }, fails: 'NOT_FOUND' },
    ...unseen({ packageVersionId: 1 }),
  ],
  'package.version.restore': [
    {
      input: version(image, 1),
      given: store => removeVersion(store, image, 1),
      leaves: { look: names(image), see: ['a', 'b', 'c'] },
    },
    {
      title: 'a slash in its name',
      given: store => {
        withDecoys(store)
        store.packages.addVersion(packageIn(store, tool), { name: 'sha256:e' })
        removeVersion(store, tool, 0)
      },
      input: version(tool),
      leaves: { look: names(tool), see: ['d', 'e'] },
    },
    { input: version(image, 1), title: 'one that is not deleted', fails: 'NOT_FOUND' },
    {
      input: version(foreign),
      title: "another's",
      given: store => {
        withForeign(store)
        removeVersion(store, foreign, 0)
      },
      fails: 'FORBIDDEN',
    },
    ...unseen({ packageVersionId: 1 }),
  ],
  'package.restore': [
    {
      input: tool,
      title: 'a slash in its name',
      given: store => {
        withDecoys(store)
        store.packages.delete(packageIn(store, tool))
      },
      leaves: { look: store => packageIn(store, tool).deletedAt, see: null },
    },
    {
      input: spoon,
      title: 'of a user',
      given: store => store.packages.delete(packageIn(store, spoon)),
    },
    { input: image, title: 'one that is not deleted', fails: 'NOT_FOUND' },
    {
      input: foreign,
      title: "another's",
      given: store => {
        withForeign(store)
        store.packages.delete(packageIn(store, foreign))
      },
      fails: 'FORBIDDEN',
    },
    ...unseen(),
  ],
  'package.delete': [
    {
      input: tool,
      title: 'a slash in its name',
      given: withDecoys,
      leaves: {
        look: store => {
          const { owner } = repositoryIn(store)
          return store.packages.of(owner, 'container').map(({ name }) => name)
        },
        see: ['versions', 'tools-lint', 'lint', 'tools', 'hello-world'],
      },
    },
    { input: spoon, title: 'of a user' },
    { input: foreign, title: "another's", given: withForeign, fails: 'FORBIDDEN' },
    ...unseen(),
  ],
}

export const manyItems: ManyItemsByCapability = {
  'package.list': {
    given: store =>
      times(229, number => {
        store.packages.add({ owner: userIn(store), type: 'npm', name: `package-${number}` })
      }),
    input: { owner: 'octocat', packageType: 'npm' },
    count: 230,
  },
  'package.versions.list': {
    given: store =>
      times(229, number => {
        store.packages.addVersion(packageIn(store, spoon), { name: `1.0.${number}` })
      }),
    input: spoon,
    count: 230,
  },
}
