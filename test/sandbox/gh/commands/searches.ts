import type { Store } from '../../../../sandbox/index.ts'
import { hello, repositoryIn, userIn } from '../../../parity/worlds.ts'
import type { GhCommand } from '../command.ts'

function forked(store: Store): void {
  const owner = userIn(store)
  const fork = { owner, by: owner, onlyDefaultBranch: true }
  store.repositories.fork(repositoryIn(store, hello), fork)
}

export const commands: readonly GhCommand[] = [
  {
    run: 'search issues busy --match=comments --json=number,repository',
    json: [
      { number: 2, repository: { name: 'hello-world', nameWithOwner: 'octo-org/hello-world' } },
    ],
  },
  {
    run: 'search issues --author=octocat --state=open --json=number --limit=2',
    json: [{ number: 37 }, { number: 35 }],
  },
  { run: 'search issues --involves=hubot --milestone=v1.0 --json=number', json: [{ number: 1 }] },
  { run: 'search prs --review=approved --json=number', json: [{ number: 20 }] },
  { run: 'search prs --review-requested=octocat --json=number', json: [{ number: 36 }] },
  { run: 'search prs --reviewed-by=octocat --state=open --json=number', json: [{ number: 20 }] },
  { run: 'search prs --merged-at=2026-01-07 --json=number', json: [{ number: 32 }] },
  {
    run: 'search prs --draft --repo=octo-org/hello-world --json=number',
    json: [{ number: 40 }, { number: 24 }, { number: 8 }],
  },
  { run: 'search repos hello --json=fullName', json: [{ fullName: 'octo-org/hello-world' }] },
  { run: 'search repos --owner=octo-org --archived=true --json=name', json: [{ name: 'attic' }] },
  { run: 'search repos --topic=demo --stars=>40 --json=name', json: [{ name: 'hello-world' }] },
  { run: 'search issues --assignee=@me --json=number', json: [{ number: 1 }] },
  {
    run: 'search commits Greet --author=octocat --json=commit --jq=.[0].commit.message',
    prints: 'Greet\n',
  },
  {
    run: 'search commits --merge --repo=octo-org/hello-world --json=sha --jq=length',
    prints: '2\n',
  },
  {
    run: 'search repos hello-world --json=fullName',
    given: forked,
    json: [{ fullName: 'octo-org/hello-world' }],
  },
  {
    run: 'search repos --include-forks=only --json=fullName',
    given: forked,
    json: [{ fullName: 'octocat/hello-world' }],
  },
]
