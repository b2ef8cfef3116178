import type { Store } from '../../../../sandbox/index.ts'
import { hello, repositoryIn, userIn } from '../../../parity/worlds.ts'
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
  {
    run: `repo edit ${REPO} --description=Changed --homepage=https://example.test/new --enable-wiki=false`,
    leaves: [
      named('octo-org', 'hello-world'),
      { description: 'Changed', homepageUrl: 'https://example.test/new', hasWiki: false },
    ],
  },
  {
    run: `repo edit ${REPO} --default-branch=topic-4 --enable-squash-merge=false --enable-auto-merge`,
    leaves: [
      named('octo-org', 'hello-world'),
      {
        defaultBranch: 'topic-4',
        merging: { allowsAutoMerge: true, methods: new Set(['merge', 'rebase']) },
      },
    ],
  },
  {
    run: `repo edit ${REPO} --default-branch=none`,
    prints: 'HTTP 422: Validation Failed',
    code: 1,
  },
  {
    run: `repo rename hi-world --repo=${REPO} --yes`,
    leaves: [
      store => [
        named('octo-org', 'hi-world')(store)?.name,
        named('octo-org', 'hello-world')(store),
      ],
      ['hi-world', undefined],
    ],
  },
  {
    run: `repo archive ${REPO} --yes`,
    leaves: [named('octo-org', 'hello-world'), { isArchived: true }],
  },
  { run: `repo delete ${REPO} --yes`, prints: 'needs the "delete_repo" scope', code: 1 },
  {
    run: `repo delete ${REPO} --yes`,
    given: store => void store.tokens.find('sandbox-token')?.scopes.push('delete_repo'),
    leaves: [named('octo-org', 'hello-world'), undefined],
  },
  {
    run: 'repo sync octocat/hello-world --branch=main',
    given: store => {
      const [source, owner] = [repositoryIn(store, hello), userIn(store)]
      store.repositories.fork(source, { owner, by: owner, onlyDefaultBranch: true })
      store.git.commit(source, {
        author: owner,
        message: 'Go on',
        changes: { 'NEWS.md': 'New.\n' },
      })
    },
    leaves: [
      store => {
        const fork = repositoryIn(store, { owner: 'octocat', name: 'hello-world' })
        return store.git.commitOf(fork, 'main')?.message
      },
      'Go on',
    ],
  },
  { run: 'repo fork octo-org/hello-world --org=octo-org', prints: 'failed to fork', code: 1 },
]
