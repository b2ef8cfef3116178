import type { Store } from '../../../../sandbox/index.ts'
import { latestRelease } from '../../../../sandbox/store/releases.ts'
import { hello, repositoryIn, userIn } from '../../../parity/worlds.ts'
import type { GhCommand } from '../command.ts'

const release = (tag: string) => (store: Store) =>
  repositoryIn(store, hello).releases.find(({ tagName }) => tagName === tag)

const generated = '**Full Changelog**: https://github.com/octo-org/hello-world/compare/v0.8.0...v4'

function attach(store: Store): void {
  const to = release('v0.8.0')(store)
  if (!to) throw new Error('the seed has no v0.8.0')
  store.releaseAssets.add(to, {
    uploader: userIn(store),
    name: 'a.txt',
    label: null,
    contentType: 'text/plain',
    content: Buffer.from('Old.\n'),
  })
}

export const commands: readonly GhCommand[] = [
  {
    run: 'release view v0.8.0 --json=assets,tagName,targetCommitish',
    json: { assets: [], tagName: 'v0.8.0', targetCommitish: 'main' },
  },
  { run: 'release list --limit=1', prints: 'One\tDraft\tv1.0.0' },
  { run: 'release list --exclude-drafts --limit=2', prints: 'Version 0.8\tLatest\tv0.8.0' },
  {
    run: 'release edit v0.2.0 --title=Two --prerelease',
    leaves: [release('v0.2.0'), { name: 'Two', isPrerelease: true }],
  },
  {
    run: 'release edit v1.0.0 --draft=false',
    prints: 'https://github.com/octo-org/hello-world/releases/tag/v1.0.0',
    leaves: [release('v1.0.0'), { isDraft: false }],
  },
  { run: 'release edit v0.2.0 --tag=v0.2.1', leaves: [release('v0.2.1'), { name: 'Version 0.2' }] },
  {
    run: 'release create v4 --notes-file=-',
    stdin: '# New\n',
    leaves: [release('v4'), { body: '# New\n', isDraft: false }],
  },
  {
    run: 'release create v4 notes.txt#Notes --notes=x',
    files: { 'notes.txt': 'What is new.\n' },
    leaves: [
      release('v4'),
      {
        isDraft: false,
        assets: [{ name: 'notes.txt', label: 'Notes', contentType: 'text/plain; charset=utf-8' }],
      },
    ],
  },
  {
    run: 'release create v4 --generate-notes --target=topic-4',
    prints: 'releases/tag/v4',
    leaves: [release('v4'), { name: 'v4', body: generated }],
  },
  {
    run: 'release create v4 --notes=x --latest=false',
    leaves: [store => latestRelease(repositoryIn(store, hello))?.tagName, 'v0.8.0'],
  },
  {
    run: 'release edit v0.2.0 --latest',
    leaves: [store => latestRelease(repositoryIn(store, hello))?.tagName, 'v0.2.0'],
  },
  {
    run: 'release upload v0.8.0 data.bin',
    files: { 'data.bin': '\0\u00ff' },
    leaves: [
      release('v0.8.0'),
      { assets: [{ name: 'data.bin', content: Buffer.from('\0\u00ff') }] },
    ],
  },
  {
    run: 'release upload v0.8.0 a.txt',
    given: store => attach(store),
    files: { 'a.txt': 'New.\n' },
    prints: 'asset under the same name already exists',
    code: 1,
  },
  {
    run: 'release upload v0.8.0 a.txt --clobber',
    given: store => attach(store),
    files: { 'a.txt': 'New.\n' },
    leaves: [release('v0.8.0'), { assets: [{ name: 'a.txt', content: Buffer.from('New.\n') }] }],
  },
  {
    run: 'release view v0.8.0 --json=assets --jq=.assets[0].url',
    given: store => attach(store),
    prints: 'https://github.com/octo-org/hello-world/releases/download/v0.8.0/a.txt',
  },
  {
    run: 'release download v0.8.0 --pattern=*.txt --output=-',
    given: store => attach(store),
    prints: 'Old.\n',
  },
  { run: 'release delete v0.1.0 --yes', leaves: [release('v0.1.0'), undefined] },
  {
    run: 'release delete v0.1.0 --yes --cleanup-tag',
    leaves: [store => store.git.tag(repositoryIn(store, hello), 'v0.1.0'), undefined],
  },
  { run: 'release download v0.8.0', prints: 'no assets to download', code: 1 },
]
