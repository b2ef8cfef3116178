import type { ProjectField, ProjectV2, Store } from '../../../../sandbox/index.ts'
import { hello, issueIn, repositoryIn } from '../../../parity/worlds.ts'
import type { GhCommand } from '../command.ts'

const value = (name: string) => (store: Store) =>
  store.variables.find(repositoryIn(store, hello), name)?.value

function level(store: Store): void {
  store.variables.add(repositoryIn(store, hello), 'LEVEL', 'high')
}

function roadmap(store: Store): ProjectV2 {
  return store.projects.find(repositoryIn(store, hello).owner, 1) as ProjectV2
}

/** Sets every settable field of the first item, an issue. */
function filledIn(store: Store): void {
  const { fields, items } = roadmap(store)
  const [item] = items
  const field = (name: string) => fields.find(it => it.name === name) as ProjectField
  if (!item) throw new Error('the project has no items')
  store.projects.setValue(item, field('Status'), { singleSelectOptionId: '47fc9ee4' })
  store.projects.setValue(item, field('Note'), { text: 'Soon' })
  store.projects.setValue(item, field('Estimate'), { number: 3 })
  store.projects.setValue(item, field('Due'), { date: '2026-02-01' })
  store.projects.setValue(item, field('Sprint'), { iterationId: '5e6f7a8b' })
}

/** Commands that older releases lack. */
export const commands: readonly GhCommand[] = [
  { since: '2.31.0', run: 'project list --owner=octo-org', prints: '1\tRoadmap\topen\t' },
  {
    since: '2.31.0',
    run: 'project list --owner=octo-org --closed',
    prints: '2\tDone with\tclosed',
  },
  {
    since: '2.31.0',
    run: 'project view 1 --owner=octo-org --format=json --jq=[.title,.items.totalCount,.public]',
    json: ['Roadmap', 4, true],
  },
  {
    since: '2.31.0',
    run: 'project field-list 1 --owner=octo-org --format=json --jq=[.fields[].name]',
    json: ['Title', 'Assignees', 'Status', 'Note', 'Estimate', 'Due', 'Sprint'],
  },
  {
    since: '2.31.0',
    run: 'project item-list 1 --owner=octo-org --format=json --jq=.items[0]|[.title,.status,.note,.estimate,.due,.sprint.title,.assignees]',
    given: filledIn,
    json: [
      'Issue number 1',
      'In progress',
      'Soon',
      3,
      '2026-02-01',
      'Sprint 2',
      ['octocat', 'hubot'],
    ],
  },
  {
    since: '2.31.0',
    run: 'project item-add 1 --owner=octo-org --url=https://github.com/octo-org/hello-world/issues/2',
    leaves: [store => roadmap(store).items.at(-1), { content: { number: 2 } }],
  },
  { since: '2.31.0', run: 'variable list', given: level, prints: 'LEVEL\thigh\t' },
  { since: '2.31.0', run: 'variable set level --body=low', leaves: [value('LEVEL'), 'low'] },
  {
    since: '2.31.0',
    run: 'variable set LEVEL --body=low',
    given: level,
    leaves: [value('LEVEL'), 'low'],
  },
  {
    since: '2.31.0',
    run: 'variable delete LEVEL',
    given: level,
    leaves: [value('LEVEL'), undefined],
  },
  { since: '2.33.0', run: 'cache list', prints: '' },
  { since: '2.33.0', run: 'ruleset check main', prints: '0 rules apply to branch main' },
  {
    since: '2.33.0',
    run: 'search code greet --repo=octo-org/hello-world',
    prints: 'src/greet.ts: ',
  },
  {
    since: '2.33.0',
    run: 'search code greet --extension=ts --json=path,textMatches --jq=[.[0].path,.[0].textMatches[0].matches[0].text]',
    json: ['src/greet.ts', 'greet'],
  },
  {
    since: '2.33.0',
    run: 'gist rename $gist hello.md bye.md',
    leaves: [store => [...(store.gists.all()[0]?.files.keys() ?? [])], ['a note.txt', 'bye.md']],
  },
  { since: '2.33.0', run: 'org list', prints: 'octo-org' },
  {
    since: '2.46.0',
    run: 'run delete $failed',
    leaves: [
      store => store.workflowRuns.all().some(({ suite }) => suite.headBranch === 'topic-4'),
      false,
    ],
  },
  {
    since: '2.46.0',
    run: 'run list --status=failure --json=headBranch',
    json: [{ headBranch: 'topic-4' }],
  },
  {
    since: '2.46.0',
    run: 'run list --event=workflow_dispatch --json=event',
    json: [{ event: 'workflow_dispatch' }],
  },
  {
    since: '2.46.0',
    run: 'repo unarchive octo-org/attic --yes',
    leaves: [store => store.repositories.find('octo-org', 'attic')?.isArchived, false],
  },
  {
    since: '2.46.0',
    run: 'issue edit 1 5 --add-label=documentation',
    leaves: [
      store =>
        [1, 5].map(number =>
          issueIn(store, number).labels.some(({ name }) => name === 'documentation'),
        ),
      [true, true],
    ],
  },
  { since: '2.46.0', run: 'secret list --json=name', json: [] },
  { since: '2.46.0', run: 'workflow list --json=name --jq=map(.name)', json: ['CI', 'Release'] },
  {
    since: '2.46.0',
    run: 'release list --limit=3 --json=tagName,isLatest --jq=.[2]',
    json: { tagName: 'v0.8.0', isLatest: true },
  },
]
