import type { Store } from '../../../../sandbox/index.ts'
import { hello, pullIn, repositoryIn, userIn } from '../../../parity/worlds.ts'
import { type GhCommand, item } from '../command.ts'

const reviews = (number: number) => (store: Store) => pullIn(store, number).reviews
/** The pull request lacks an approval, so auto-merge can be enabled. */
function waiting(store: Store): void {
  const { merging } = repositoryIn(store, hello)
  merging.allowsAutoMerge = true
  merging.branches.set('main', { requiresApproval: true })
}

const branch = (name: string) => (store: Store) =>
  store.git.branch(repositoryIn(store, hello), name)?.name

export const commands: readonly GhCommand[] = [
  { run: 'pr list --draft --json=number', json: [{ number: 40 }, { number: 24 }, { number: 8 }] },
  {
    run: 'pr list --head=topic-4 --json=number,baseRefName',
    json: [{ number: 4, baseRefName: 'main' }],
  },
  { run: 'pr list --label=bug --state=all --json=number', json: [{ number: 40 }, { number: 20 }] },
  { run: 'pr list --search=review:approved --json=number', json: [{ number: 20 }] },
  {
    run: 'pr view 20 --json=files --jq=.files[0]',
    json: { path: 'docs/change-20.md', additions: 40, deletions: 0 },
  },
  { run: 'pr diff 4', prints: "+export const line4 = 'part 4, after'" },
  { run: 'pr diff 4 --name-only', prints: 'docs/change-4.md\nsrc/parts/part-4.ts\n' },
  { run: 'pr checks 20 --watch', prints: 'lint\tpass\t2m0s' },
  { run: 'pr ready 8', leaves: [item(8), { isDraft: false }] },
  { run: 'pr ready 4 --undo', leaves: [item(4), { isDraft: true }] },
  {
    run: 'pr review 4 --request-changes --body=No.',
    leaves: [reviews(4), [{ state: 'CHANGES_REQUESTED', body: 'No.' }]],
  },
  { run: 'pr review 4 --comment --body=Hm.', leaves: [reviews(4), [{ state: 'COMMENTED' }]] },
  {
    run: 'pr edit 4 --title=Better --add-label=bug --add-assignee=octocat --milestone=v1.0',
    leaves: [
      item(4),
      { title: 'Better', assignees: [{ login: 'octocat' }], milestone: { title: 'v1.0' } },
    ],
  },
  { run: 'pr edit 4 --base=topic-8', leaves: [item(4), { base: { name: 'topic-8' } }] },
  {
    run: 'pr edit 36 --remove-reviewer=octocat',
    // Newer releases send nothing when the last one is removed.
    given: store => {
      const other = userIn(store, 'mallory')
      repositoryIn(store, hello).collaborators.set(other, 'write')
      store.reviewRequests.add(pullIn(store, 36), [other])
    },
    leaves: [item(36), { reviewRequests: [{ reviewer: { login: 'mallory' } }] }],
  },
  {
    run: 'pr merge 4 --squash --delete-branch',
    leaves: [
      store => [pullIn(store, 4).mergedBy?.login, branch('topic-4')(store)],
      ['octocat', undefined],
    ],
  },
  {
    run: 'pr merge 20 --rebase',
    leaves: [item(20), { state: 'closed', mergedBy: { login: 'octocat' } }],
  },
  { run: 'pr reopen 12', leaves: [item(12), { state: 'open' }] },
  {
    run: 'pr close 4 --comment=No. --delete-branch',
    leaves: [
      store => [pullIn(store, 4).comments.at(-1)?.body, branch('topic-4')(store)],
      ['No.', undefined],
    ],
  },
  { run: 'pr lock 4 --reason=resolved', leaves: [item(4), { lockReason: 'resolved' }] },
  {
    run: 'pr unlock 4',
    given: store => store.issues.lock(pullIn(store, 4), null),
    leaves: [item(4), { isLocked: false }],
  },
  {
    run: 'pr merge 4 --auto --squash',
    given: store => waiting(store),
    leaves: [item(4), { state: 'open', autoMerge: { method: 'squash' } }],
  },
  {
    run: 'pr merge 4 --disable-auto',
    given: store => {
      waiting(store)
      pullIn(store, 4).autoMerge = {
        method: 'merge',
        enabledBy: userIn(store),
        enabledAt: '2026-01-10T00:00:00Z',
      }
    },
    leaves: [item(4), { autoMerge: null }],
  },
  { run: 'pr merge 4 --disable-auto', prints: "Can't disable auto-merge", code: 1 },
  {
    run: 'pr view 20 --json=commits --jq=.commits[0].authors',
    json: [
      {
        email: '1002+hubot@users.noreply.github.com',
        id: 'U_kgDOAAAD6g',
        login: 'hubot',
        name: 'Hubot',
      },
    ],
  },
  {
    run: 'pr comment 4 --edit-last --body=Changed',
    leaves: [store => pullIn(store, 4).comments, [{ body: 'Changed' }]],
  },
  { run: 'pr status', inClone: true, prints: '#4  Change number 4 [topic-4]' },
  {
    run: 'pr create --head=topic-12 --base=main --title=Anew --body=Text --draft',
    inClone: true,
    prints: 'https://github.com/octo-org/hello-world/pull/41',
    leaves: [item(41), { title: 'Anew', isDraft: true, head: { name: 'topic-12' } }],
  },
  {
    run: 'pr create --head=topic-12 --title=Anew --body=Text --label=bug --reviewer=hubot --assignee=@me',
    inClone: true,
    leaves: [
      item(41),
      {
        labels: [{ name: 'bug' }],
        reviewRequests: [{ reviewer: { login: 'hubot' } }],
        assignees: [{ login: 'octocat' }],
      },
    ],
  },
]
