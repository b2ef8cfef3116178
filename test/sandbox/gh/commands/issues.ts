import type { Store } from '../../../../sandbox/index.ts'
import { issueIn, repositoryIn } from '../../../parity/worlds.ts'
import { type GhCommand, item } from '../command.ts'

const secret = { owner: 'octo-org', name: 'secret-plans' }

const pinned = (store: Store) => repositoryIn(store).pinned
const assignees = (store: Store) => issueIn(store, 1).assignees.map(({ login }) => login)

export const commands: readonly GhCommand[] = [
  { run: 'issue list --mention=hubot --json=number', json: [] },
  {
    run: 'issue list --mention=octocat --json=number',
    given: store => store.issues.update(issueIn(store, 5), { body: 'As @octocat said.' }),
    json: [{ number: 5 }],
  },
  {
    run: 'issue list --state=closed --limit=2 --json=number',
    json: [{ number: 39 }, { number: 33 }],
  },
  {
    run: 'issue view 3 --json=state,closedAt',
    json: { state: 'CLOSED', closedAt: '2026-01-06T10:04:05Z' },
  },
  { run: 'issue view 1 --json=title --template={{.title}}!', prints: 'Issue number 1!' },
  {
    run: 'issue edit 5 --add-assignee=@me --milestone=v1.0 --body=New',
    leaves: [item(5), { body: 'New', assignees: [{ login: 'octocat' }], milestone: { number: 1 } }],
  },
  { run: 'issue edit 1 --remove-assignee=hubot', leaves: [assignees, ['octocat']] },
  { run: 'issue edit 1 --body-file=-', stdin: 'Piped.\n', leaves: [item(1), { body: 'Piped.\n' }] },
  {
    run: 'issue close 1 --comment=Done',
    leaves: [item(1), { state: 'closed', comments: [{ body: 'Done' }] }],
  },
  {
    run: 'issue reopen 3 --comment=Again',
    leaves: [item(3), { state: 'open', stateReason: 'reopened', comments: [{ body: 'Again' }] }],
  },
  {
    run: 'issue lock 1 --reason=off_topic',
    leaves: [item(1), { isLocked: true, lockReason: 'off-topic' }],
  },
  {
    run: 'issue unlock 1',
    given: store => store.issues.lock(issueIn(store, 1), 'spam'),
    leaves: [item(1), { isLocked: false, lockReason: null }],
  },
  { run: 'issue delete 5 --yes', leaves: [item(5), undefined] },
  {
    run: 'issue comment 2 --edit-last --body=Changed',
    leaves: [store => issueIn(store, 2).comments.at(-1), { body: 'Changed' }],
  },
  {
    run: 'issue comment 1 --edit-last --body=Changed',
    prints: 'no comments found for current user',
    code: 1,
  },
  { run: 'issue pin 1', leaves: [pinned, [{ number: 1 }]] },
  {
    run: 'issue pin 1',
    given: store => [5, 7, 11].forEach(number => store.issues.pin(issueIn(store, number))),
    prints: '3 pinned issues',
    code: 1,
  },
  {
    run: 'issue unpin 5',
    given: store => store.issues.pin(issueIn(store, 5)),
    leaves: [pinned, []],
  },
  {
    run: 'issue transfer 2 octo-org/secret-plans',
    prints: 'https://github.com/octo-org/secret-plans/issues/2',
    leaves: [
      store => repositoryIn(store, secret).items.get(2),
      { title: 'Issue number 2', author: { login: 'hubot' }, comments: { length: 14 } },
    ],
  },
  { run: 'issue transfer 2 octocat/spoon-knife', prints: 'of one owner', code: 1 },
  {
    run: 'issue develop 1 --name=fix-1',
    inClone: true,
    // Newer releases then fetch the branch, and fail because there is no git server.
    code: [0, 1],
    prints: 'octo-org/hello-world/tree/fix-1',
    leaves: [store => store.git.branch(repositoryIn(store), 'fix-1')?.name, 'refs/heads/fix-1'],
  },
  {
    run: 'issue develop 1 --list',
    inClone: true,
    given: store => {
      const repository = repositoryIn(store)
      store.issues.link(issueIn(store, 1), repository, 'refs/heads/topic-4')
      store.issues.link(issueIn(store, 1), repository, 'refs/heads/gone')
    },
    prints: 'topic-4\n',
  },
]
