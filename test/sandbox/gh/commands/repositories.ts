import type { Store } from '../../../../sandbox/store/store.ts'
import { hello, repositoryIn } from '../../../parity/worlds.ts'
import type { GhCommand } from '../command.ts'

const REPO = 'octo-org/hello-world'
const named = (owner: string, name: string) => (store: Store) =>
  store.repositories.find(owner, name)

export const commands: readonly GhCommand[] = [
  { run: 'repo list octo-org --visibility=private --json=name', json: [{ name: 'secret-plans' }] },
  { run: 'repo list --source --json=name', json: [{ name: 'spoon-knife' }] },
  { run: 'repo list octo-org --topic=demo --json=name', json: [{ name: 'hello-world' }] },
  { run: 'repo list octo-org --archived --json=name', json: [{ name: 'attic' }] },
  {
    run: `repo view ${REPO} --json=repositoryTopics,latestRelease --jq=[.repositoryTopics[0].name,.latestRelease.tagName]`,
    json: ['demo', 'v0.8.0'],
  },
  { run: `repo view ${REPO} --branch=topic-4`, prints: '# hello-world' },
  {
    run: `repo edit ${REPO} --add-topic=new --remove-topic=demo`,
    leaves: [store => repositoryIn(store, hello).topics, ['sandbox', 'new']],
  },
  {
    run: 'repo create octo-org/fresh --public --description=New',
    leaves: [named('octo-org', 'fresh'), { visibility: 'public', description: 'New' }],
  },
  {
    run: 'repo create fresh --private --add-readme',
    prints: 'https://github.com/octocat/fresh',
    leaves: [named('octocat', 'fresh'), { visibility: 'private' }],
  },
  {
    run: `repo fork ${REPO} --clone=false --fork-name=mine`,
    leaves: [named('octocat', 'mine'), { parent: { name: 'hello-world' } }],
  },
  { run: 'repo fork octo-org/hello-world --org=octo-org', prints: 'failed to fork', code: 1 },
]
