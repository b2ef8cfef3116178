import type { GhCommand } from '../command.ts'

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
]
