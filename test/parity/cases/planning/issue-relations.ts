import type { Issue, Store } from '../../../../sandbox/index.ts'
import type { Input, ParityCases } from '../../case.ts'
import {
  addForeign,
  foreign,
  hello,
  issueIn,
  pullIn,
  repositoryIn,
  spoon,
  times,
  userIn,
} from '../../worlds.ts'

const id = (store: Store, number: number) => issueIn(store, number).nodeId
const foreignId = (store: Store) => issueIn(store, 1, repositoryIn(store, foreign)).nodeId

/** Issue 1 has parent 2 and sub-issues 3 and 5. Issue 6, and issue 1 of another repository, block it. */
function relate(store: Store): void {
  const [one, two, three, five, six] = [1, 2, 3, 5, 6].map(it => issueIn(store, it)) as [
    Issue,
    ...Issue[],
  ] as [Issue, Issue, Issue, Issue, Issue]
  store.relations.addSubIssue(two, one)
  store.relations.addSubIssue(one, five)
  store.relations.addSubIssue(one, three)
  store.relations.addBlocker(one, six)
  store.relations.addBlocker(one, issueIn(store, 1, repositoryIn(store, spoon)))
}

const parents =
  (child: number, parent: number) =>
  (store: Store): Input => ({ issueId: id(store, child), parentIssueId: id(store, parent) })

const blocks =
  (issue: number, blocker: number) =>
  (store: Store): Input => ({ issueId: id(store, issue), blockedByIssueId: id(store, blocker) })

export const cases: ParityCases = {
  'issue.relations.view': [
    { input: { ...hello, issueNumber: 1 }, given: relate, title: 'one with all of them' },
    { input: { ...hello, issueNumber: 2 }, title: 'one with none' },
    {
      input: { ...spoon, issueNumber: 1 },
      given(store) {
        const repository = repositoryIn(store, spoon)
        const author = userIn(store)
        times(100, number => {
          const issue = store.issues.add(repository, { title: `Part ${number}`, author })
          store.relations.addSubIssue(issueIn(store, 1, repository), issue)
          if (number % 2 === 0) store.relations.addBlocker(issueIn(store, 1, repository), issue)
        })
      },
      title: 'as many as GitHub allows',
    },
    { input: { ...hello, issueNumber: 4 }, title: 'of a pull request', fails: 'NOT_FOUND' },
    { input: { ...hello, issueNumber: 9999 }, fails: 'NOT_FOUND' },
  ],
  'issue.relations.prs.list': [
    { input: { ...hello, issueNumber: 1 }, title: 'an empty list' },
    {
      input: { ...hello, issueNumber: 1 },
      given(store) {
        for (const number of [4, 12, 16]) {
          store.issues.update(pullIn(store, number), { body: `Fixes #1\n\nSee #10.` })
        }
      },
      title: 'open, closed, merged',
    },
    {
      input: { ...spoon, issueNumber: 1 },
      given: store =>
        times(130, number =>
          store.pullRequests.add(repositoryIn(store, spoon), {
            title: `Attempt ${number}`,
            body: 'closes #1',
            author: userIn(store),
            head: `attempt-${number}`,
          }),
        ),
      title: 'more than a page',
    },
    { input: { ...hello, issueNumber: 4 }, title: 'of a pull request', fails: 'NOT_FOUND' },
  ],
  'issue.relations.parent.set': [
    { input: parents(1, 2), title: 'to one without a parent' },
    { input: parents(1, 6), given: relate, title: 'in place of another' },
    { input: parents(1, 2), given: relate, title: 'to what it is' },
    { input: parents(2, 3), given: relate, title: 'in a circle', fails: 'VALIDATION' },
    {
      input: store => ({ issueId: pullIn(store, 4).nodeId, parentIssueId: id(store, 1) }),
      title: 'of a pull request',
      fails: 'NOT_FOUND',
    },
    {
      input: store => ({ issueId: id(store, 1), parentIssueId: 'I_kwDONothing' }),
      title: 'to one that does not exist',
      fails: 'NOT_FOUND',
    },
    {
      input: store => ({ issueId: foreignId(store), parentIssueId: foreignId(store) }),
      given: addForeign,
      title: 'without the right',
      fails: 'FORBIDDEN',
    },
  ],
  'issue.relations.parent.remove': [
    { input: store => ({ issueId: id(store, 1) }), given: relate },
    { input: store => ({ issueId: id(store, 1) }), title: 'of one without a parent' },
    { input: { issueId: 'I_kwDONothing' }, fails: 'NOT_FOUND' },
    { input: { issueId: '' }, fails: 'VALIDATION' },
  ],
  'issue.relations.blocked_by.add': [
    { input: blocks(1, 2) },
    { input: blocks(1, 6), given: relate, title: 'one that blocks already' },
    { input: blocks(1, 1), title: 'itself', fails: 'VALIDATION' },
    {
      input: store => ({ issueId: id(store, 1), blockedByIssueId: 'I_kwDONothing' }),
      title: 'one that does not exist',
      fails: 'NOT_FOUND',
    },
  ],
  'issue.relations.blocked_by.remove': [
    { input: blocks(1, 6), given: relate },
    { input: blocks(1, 2), given: relate, title: 'one that does not block' },
    {
      input: store => ({ issueId: 'I_kwDONothing', blockedByIssueId: id(store, 1) }),
      title: 'of one that does not exist',
      fails: 'NOT_FOUND',
    },
  ],
}
