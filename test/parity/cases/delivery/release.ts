import type { Release, Store } from '../../../../sandbox/index.ts'
import { ofActors } from '../../actors.ts'
import type { Data, Input, Look, ManyItemsByCapability, ParityCases } from '../../case.ts'
import { filteredReleases } from '../../filters/git.ts'
import { hello, repositoryIn, spoon, times, userIn } from '../../worlds.ts'

const attic = { owner: 'octo-org', name: 'attic' }
const nothing = { owner: 'octo-org', name: 'nothing-here' }

function release(store: Store, tagName: string, where = hello): Release {
  const found = repositoryIn(store, where).releases.find(it => it.tagName === tagName)
  if (!found) throw new Error(`there is no release ${tagName}`)
  return found
}

/** In the seed, v1.0.0 is a draft and v0.8.0 is the latest release. */
function of(tagName: string, others: Input = {}, where = hello): (store: Store) => Input {
  return store => ({ ...where, releaseId: release(store, tagName, where).databaseId, ...others })
}

function draft(fields: { tagName: string; targetCommitish?: string }, where = hello) {
  return (store: Store) =>
    void store.releases.add(repositoryIn(store, where), {
      ...fields,
      author: userIn(store),
      isDraft: true,
    })
}

/** Another user's public repository. */
function readOnly(store: Store): void {
  const owner = userIn(store, 'mallory')
  store.repositories.add({ owner, name: 'shown' })
}

const notesFile = { name: 'notes.txt', label: 'What is new?', contentType: 'text/plain' }
const files = [
  { name: 'a-1.tar.gz', content: 'AAECAw==' },
  { ...notesFile, content: 'YWJj' },
]
const noDisk = { cli: 'gh uploads only files on a disk' }
const fileNames: Look<Data>['look'] = ({ isDraft, assets }) => [
  isDraft,
  ...assets.map((asset: Data) => asset.name),
]

export const cases: ParityCases = {
  'release.list': [
    { input: hello },
    { input: { ...hello, first: 4 } },
    ...filteredReleases,
    { input: spoon, title: 'an empty list' },
    { input: nothing, fails: 'NOT_FOUND' },
  ],
  'release.drafts.list': [
    { input: hello },
    { input: spoon, title: 'an empty list' },
    {
      input: { ...hello, includePublished: true, first: 100 },
      answers: {
        look: data => new Set(data.items.map((item: { isDraft: boolean }) => item.isDraft)).size,
        see: 2,
      },
    },
    { input: nothing, fails: 'NOT_FOUND' },
  ],
  'release.view': [
    ...ofActors({ ...hello, tagName: 'v0.8.0' }, (store, author) => {
      for (const release of repositoryIn(store).releases) release.author = author
    }),
    { input: { ...hello, tagName: 'v0.8.0' } },
    { input: { ...hello, tagName: 'v1.0.0-rc.1' }, title: 'a prerelease' },
    {
      input: { ...hello, tagName: 'v0.8.0' },
      title: 'one with files',
      given: store => {
        const release = repositoryIn(store).releases.find(it => it.tagName === 'v0.8.0')
        const file = { uploader: userIn(store), name: 'a b.txt', label: null }
        if (!release) throw new Error('the seed has no v0.8.0')
        store.releaseAssets.add(release, {
          ...file,
          contentType: 'text/plain',
          content: Buffer.from('abc'),
        })
      },
      answers: {
        look: ({ assets, notes, author }) => [assets[0].name, assets[0].size, notes, author],
        see: ['a.b.txt', 3, 'What is new in 0.8.', 'octocat'],
      },
    },
    {
      input: { ...hello, tagName: 'nightly/1' },
      given: store =>
        void store.releases.create(repositoryIn(store), {
          tagName: 'nightly/1',
          author: userIn(store, 'hubot'),
          body: 'Neither title nor target',
        }),
    },
    { input: { ...hello, tagName: 'v1.0.0' }, title: 'a draft', fails: 'NOT_FOUND' },
    { input: { ...hello, tagName: 'v9' }, fails: 'NOT_FOUND' },
    { input: { ...hello, tagName: '..' }, fails: 'VALIDATION' },
    { input: { ...nothing, tagName: 'v1' }, fails: 'NOT_FOUND' },
  ],
  'release.create': [
    { input: { ...hello, tagName: 'v2.0.0' } },
    {
      input: {
        ...hello,
        tagName: 'v2/beta',
        title: '--draft=false',
        notes: '# What is new\n\n* `$(all)` of it',
        targetCommitish: 'topic-4',
        prerelease: true,
      },
    },
    { input: { ...hello, tagName: 'v0.8.0' }, title: 'for a tag that has a release' },
    {
      input: { ...hello, tagName: 'v2#1', draft: false, targetCommitish: 'topic-4' },
      title: 'published at once',
      answers: { look: data => [data.isDraft, data.tagName], see: [false, 'v2#1'] },
      leaves: {
        look: store => store.git.ref(repositoryIn(store), 'refs/tags/v2#1') !== undefined,
        see: true,
      },
    },
    {
      input: { ...hello, tagName: 'v2', draft: false, targetCommitish: 'no-such-branch' },
      title: 'published from a branch that is not there',
      fails: 'VALIDATION',
    },
    {
      input: { ...hello, tagName: 'v2', generateNotes: true, notes: '🚂' },
      title: 'with generated notes',
      answers: { look: data => data.name, see: 'v2' },
      leaves: {
        look: store =>
          /^🚂\n\n.*Full Changelog/s.test(repositoryIn(store).releases.at(-1)?.body ?? ''),
        see: true,
      },
    },
    {
      input: { ...hello, tagName: 'v2', assets: files },
      title: 'a draft with files',
      except: noDisk,
      answers: { look: fileNames, see: [true, 'a-1.tar.gz', 'notes.txt'] },
      leaves: {
        look: store =>
          repositoryIn(store)
            .releases.at(-1)
            ?.assets.map(asset => asset.contentType),
        see: ['application/octet-stream', 'text/plain'],
      },
    },
    {
      input: { ...hello, tagName: 'v2', draft: false, assets: files },
      title: 'published with files',
      except: noDisk,
      answers: { look: fileNames, see: [false, 'a-1.tar.gz', 'notes.txt'] },
    },
    {
      input: { ...hello, tagName: 'v0.8.0', draft: false, assets: files },
      title: 'with files, for a tag that has a published release',
      except: noDisk,
      fails: 'CONFLICT',
    },
    {
      input: { ...hello, tagName: 'v2', assets: [...files, { ...files[1], name: 'Notes.txt' }] },
      title: 'two files of one name',
      except: noDisk,
      fails: 'VALIDATION',
    },
    {
      input: { ...hello, tagName: 'v2', assets: [{ name: 'a.txt', content: '***' }] },
      title: 'a file that is no Base64',
      fails: 'VALIDATION',
    },
    { input: { ...hello, tagName: 'v2..0' }, fails: 'VALIDATION' },
    { input: { ...attic, tagName: 'v1' }, fails: 'FORBIDDEN' },
    { input: { ...nothing, tagName: 'v1' }, fails: 'NOT_FOUND' },
    {
      input: { owner: 'mallory', name: 'shown', tagName: 'v1' },
      given: readOnly,
      title: 'without the right to push',
      fails: 'NOT_FOUND',
    },
  ],
  'release.publish': [
    { input: of('v1.0.0'), title: 'a draft' },
    {
      input: of('v1.0.0', { title: 'The One', notes: '', prerelease: true }),
      title: 'a draft, with other texts',
    },
    { input: of('v0.3.0'), title: 'one that is published' },
    {
      input: of('v3', {}),
      given: draft({ tagName: 'v3', targetCommitish: 'topic-4' }),
      title: 'of another branch',
    },
    {
      input: of('v3', {}),
      given: draft({ tagName: 'v3', targetCommitish: 'no-such-branch' }),
      title: 'of a branch that is not there',
      fails: 'VALIDATION',
    },
    {
      input: store => ({ ...hello, releaseId: repositoryIn(store).releases.at(-1)?.databaseId }),
      given: draft({ tagName: 'v0.8.0' }),
      title: 'for a tag that has a release',
      fails: 'CONFLICT',
    },
    { input: { ...hello, releaseId: 1 }, fails: 'NOT_FOUND' },
    {
      input: of('v1', {}, attic),
      given: draft({ tagName: 'v1' }, attic),
      title: 'archived',
      fails: 'FORBIDDEN',
    },
  ],
  'release.delete': [
    {
      input: of('v0.8.0'),
      leaves: {
        look: store => {
          const repository = repositoryIn(store)
          return [
            repository.releases.some(({ tagName }) => tagName === 'v0.8.0'),
            store.git.ref(repository, 'refs/tags/v0.8.0') !== undefined,
          ]
        },
        see: [false, true],
      },
    },
    { input: of('v1.0.0'), title: 'a draft' },
    { input: { ...hello, releaseId: 1 }, fails: 'NOT_FOUND' },
    {
      input: of('v1', {}, attic),
      given: draft({ tagName: 'v1' }, attic),
      title: 'archived',
      fails: 'FORBIDDEN',
    },
  ],
  'release.update': [
    { input: of('v1.0.0', { tagName: 'v1.0.1', title: 'Fixed', targetCommitish: 'topic-4' }) },
    { input: of('v0.8.0', { notes: '', prerelease: true }), title: 'a published one' },
    { input: of('v0.8.0', { draft: true }), title: 'taken back' },
    { input: of('v1.0.0', { draft: false }), title: 'published' },
    { input: of('v0.8.0'), title: 'nothing changed' },
    { input: of('v0.8.0', { tagName: 'v0.7.0' }), title: 'a taken tag', fails: 'CONFLICT' },
    { input: { ...hello, releaseId: 1, title: 'x' }, fails: 'NOT_FOUND' },
    {
      input: of('v1', { title: 'x' }, attic),
      given: draft({ tagName: 'v1' }, attic),
      title: 'archived',
      fails: 'FORBIDDEN',
    },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'release.list': {
    given: store =>
      times(230, number => {
        const author = userIn(store)
        store.releases.add(repositoryIn(store, spoon), { tagName: `v${number}`, author })
      }),
    input: spoon,
    count: 230,
  },
  // Every third release is published, so the list leaves it out.
  'release.drafts.list': {
    given: store =>
      times(345, number => {
        const fields = { tagName: `v${number}`, author: userIn(store), isDraft: number % 3 > 0 }
        store.releases.add(repositoryIn(store, spoon), fields)
      }),
    input: spoon,
    count: 230,
  },
}
