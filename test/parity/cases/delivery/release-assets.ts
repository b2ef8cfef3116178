import type { Release, ReleaseAsset, Store } from '../../../../sandbox/index.ts'
import type { Input, ManyItemsByCapability, ParityCases } from '../../case.ts'
import { hello, repositoryIn, times, userIn } from '../../worlds.ts'

const nothing = { owner: 'octo-org', name: 'nothing-here' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

function release(store: Store): Release {
  const found = repositoryIn(store).releases.find(({ tagName }) => tagName === 'v0.8.0')
  if (!found) throw new Error('the seed has no v0.8.0')
  return found
}

function addFile(store: Store, name = 'notes.txt'): ReleaseAsset {
  return store.releaseAssets.add(release(store), {
    uploader: userIn(store),
    name,
    label: null,
    contentType: 'text/plain',
    content: Buffer.from('abc'),
  })
}

const of =
  (others: Input = {}) =>
  (store: Store): Input => ({ ...hello, releaseId: release(store).databaseId, ...others })

const file = { assetName: 'notes.txt', content: base64('abc') }

export const cases: ParityCases = {
  'release.assets.list': [
    { input: of(), title: 'no file' },
    {
      input: of(),
      given: store => void addFile(store, 'a b+c.txt'),
      title: 'a file',
      answers: {
        look: ({ items }) => [items[0].name, items[0].size, items[0].uploader],
        see: ['a.b+c.txt', 3, 'octocat'],
      },
    },
    { input: { ...hello, releaseId: 1 }, fails: 'NOT_FOUND' },
    { input: { ...nothing, releaseId: 1 }, fails: 'NOT_FOUND' },
  ],
  'release.assets.upload': [
    {
      input: of({ ...file, label: 'What is new & why? #1', contentType: 'text/plain' }),
      title: 'a text with a label',
      answers: {
        look: data => [data.name, data.label, data.contentType, data.size],
        see: ['notes.txt', 'What is new & why? #1', 'text/plain', 3],
      },
      leaves: {
        look: store => release(store).assets.map(({ content }) => content.toString()),
        see: ['abc'],
      },
    },
    { input: of({ assetName: 'a-1.tar.gz', content: 'AAECAw==' }), title: 'bytes' },
    {
      input: of(file),
      given: store => void addFile(store),
      title: 'a name that is taken',
      fails: 'CONFLICT',
    },
    { input: of({ ...file, assetName: '../x' }), title: 'a path', fails: 'VALIDATION' },
    { input: of({ ...file, content: '***' }), title: 'no Base64', fails: 'VALIDATION' },
    { input: { ...hello, ...file, releaseId: 1 }, fails: 'NOT_FOUND' },
  ],
  'release.assets.delete': [
    {
      input: store => ({ ...hello, assetId: addFile(store).databaseId }),
      title: 'a file',
      leaves: { look: store => release(store).assets.length, see: 0 },
    },
    { input: { ...hello, assetId: 1 }, fails: 'NOT_FOUND' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'release.assets.list': {
    given: store => times(230, number => addFile(store, `${number}.txt`)),
    input: of(),
    count: 230,
  },
}
