import type { Store } from '../../../../sandbox/store/store.ts'
import { hello, repositoryIn } from '../../../parity/worlds.ts'
import type { GhCommand } from '../command.ts'

const release = (tag: string) => (store: Store) =>
  repositoryIn(store, hello).releases.find(({ tagName }) => tagName === tag)

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
  { run: 'release download v0.8.0', prints: 'no assets to download', code: 1 },
]
