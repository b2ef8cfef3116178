import type { Issue, Store } from '../../../../sandbox/index.ts'
import { ofActors } from '../../actors.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { filteredIssues } from '../../filters/issues.ts'
import {
  addForeign,
  attic,
  foreign,
  hello,
  issueIn,
  pullIn,
  repositoryIn,
  spoon,
  times,
  userIn,
} from '../../worlds.ts'

const LATE = '2026-03-01T00:00:00Z'

function addOldAndLate(store: Store): void {
  const author = userIn(store)
  const add = (body: string, createdAt: string) =>
    store.comments.add(issueIn(store, 3), { author, body, createdAt })
  times(150, number => {
    const comment = add(`Old ${number}`, '2026-02-28T23:59:59Z')
    if (number === 7) comment.updatedAt = LATE
  })
  times(2, number => add(`Late ${number}`, `2026-03-01T00:00:0${number}Z`))
}

export const cases: ParityCases = {
  'issue.list': [
    { input: hello },
    { input: { ...hello, state: 'closed', first: 3 } },
    { input: { ...hello, state: 'all', first: 100 } },
    ...filteredIssues,
    ...ofActors(
      { ...hello, first: 1 },
      (store, author) => void store.issues.add(repositoryIn(store), { title: 'New', author }),
      data => data.items[0].author,
    ),
    { input: { owner: 'octo-org', name: 'nothing-here' }, fails: 'NOT_FOUND' },
  ],
  'issue.view': [
    ...ofActors({ ...hello, issueNumber: 2 }, (store, actor) => {
      Object.assign(issueIn(store, 2), { author: actor, assignees: [userIn(store), actor] })
    }),
    {
      input: { ...hello, issueNumber: 1 },
      title: 'with a type',
      given: store => {
        const { owner } = repositoryIn(store)
        if (owner.kind !== 'Organization') return
        issueIn(store, 1).type = store.issueTypes.add(owner, { name: 'Bug' })
      },
      answers: { look: ({ type }) => type, see: 'Bug' },
    },
    { input: { ...hello, issueNumber: 1 } },
    { input: { ...hello, issueNumber: 2 }, title: 'one with comments' },
    { input: { ...hello, issueNumber: 5 }, title: 'one without a body' },
    { input: { ...hello, issueNumber: 3 }, title: 'a closed one' },
    {
      input: { ...hello, issueNumber: 1 },
      title: 'one closed as a duplicate, and locked',
      given: store => {
        store.issues.lock(issueIn(store, 1), 'resolved')
        store.issues.close(issueIn(store, 1), userIn(store), { reason: 'duplicate' })
      },
      answers: {
        look: ({ stateReason, locked, milestone }) => [stateReason, locked, milestone.title],
        see: ['DUPLICATE', true, 'v1.0'],
      },
    },
    { input: { ...hello, issueNumber: 4 }, title: 'a pull request', fails: 'NOT_FOUND' },
    { input: { ...hello, issueNumber: 9999 }, fails: 'NOT_FOUND' },
  ],
  'issue.comments.list': [
    { input: { ...hello, issueNumber: 2 } },
    { input: { ...hello, issueNumber: 4 }, title: 'of a pull request' },
    { input: { ...hello, issueNumber: 3 }, title: 'an empty list' },
    {
      input: { ...hello, issueNumber: 3, since: LATE, first: 2 },
      title: 'those since a time, behind many older ones, an edited one among them',
      given: addOldAndLate,
      answers: {
        look: data => data.items.map(({ body }: { body: string }) => body),
        see: ['Old 7', 'Late 1'],
      },
    },
    {
      input: { ...hello, issueNumber: 3, since: '2026-03-01T01:00:01+01:00' },
      title: 'a time in another zone',
      given: addOldAndLate,
      answers: { look: data => data.items.length, see: 2 },
    },
  ],
  'issue.close': [
    {
      input: { ...hello, issueNumber: 1 },
      answers: { look: data => data.stateReason, see: 'COMPLETED' },
    },
    ...['NOT_PLANNED', 'DUPLICATE'].map(stateReason => ({
      input: { ...hello, issueNumber: 1, stateReason },
      leaves: {
        look: (store: Store) => issueIn(store, 1).stateReason,
        see: stateReason.toLowerCase(),
      },
    })),
    { input: { ...hello, issueNumber: 1, stateReason: 'REOPENED' }, fails: 'VALIDATION' },
    { input: { ...hello, issueNumber: 3 }, title: 'one that is closed' },
    { input: { ...hello, issueNumber: 4 }, title: 'a pull request', fails: 'NOT_FOUND' },
    { input: { ...foreign, issueNumber: 1 }, given: addForeign, fails: 'FORBIDDEN' },
  ],
  'issue.comments.create': [
    { input: { ...hello, issueNumber: 1, body: 'A comment' } },
    { input: { ...hello, issueNumber: 4, body: 'On a pull request' } },
    { input: { ...hello, issueNumber: 9999, body: 'x' }, fails: 'NOT_FOUND' },
  ],
  'issue.reopen': [
    { input: { ...hello, issueNumber: 3 } },
    { input: { ...hello, issueNumber: 1 }, title: 'one that is open' },
    { input: { ...hello, issueNumber: 12 }, title: 'a pull request', fails: 'NOT_FOUND' },
    { input: { ...foreign, issueNumber: 1 }, given: addForeign, fails: 'FORBIDDEN' },
  ],
  'issue.delete': [
    { input: { ...hello, issueNumber: 1 } },
    { input: { ...hello, issueNumber: 2 }, title: 'one with comments' },
    {
      input: { ...hello, issueNumber: 1 },
      given(store) {
        const [one, two, three] = [1, 2, 3].map(it => issueIn(store, it)) as [Issue, Issue, Issue]
        store.relations.addSubIssue(one, two)
        store.relations.addBlocker(three, one)
      },
      title: 'one with relations',
    },
    { input: { ...hello, issueNumber: 4 }, title: 'a pull request', fails: 'NOT_FOUND' },
    { input: { ...hello, issueNumber: 9999 }, fails: 'NOT_FOUND' },
    { input: { ...attic, issueNumber: 1 }, title: 'in an archived repository', fails: 'FORBIDDEN' },
    { input: { ...foreign, issueNumber: 1 }, given: addForeign, fails: 'FORBIDDEN' },
  ],
  'issue.lock': [
    { input: { ...hello, issueNumber: 1 } },
    { input: { ...hello, issueNumber: 1, lockReason: 'OFF_TOPIC' } },
    { input: { ...hello, issueNumber: 1, lockReason: 'TOO_HEATED' } },
    { input: { ...hello, issueNumber: 1, lockReason: 'SPAM' } },
    {
      input: { ...hello, issueNumber: 4, lockReason: 'RESOLVED' },
      given: store => store.issues.lock(pullIn(store, 4), 'off-topic'),
      title: 'a pull request that is locked for another reason',
    },
    { input: { ...hello, issueNumber: 9999 }, fails: 'NOT_FOUND' },
    { input: { ...hello, issueNumber: 1, lockReason: 'resolved' }, fails: 'VALIDATION' },
    { input: { ...foreign, issueNumber: 1 }, given: addForeign, fails: 'FORBIDDEN' },
  ],
  'issue.unlock': [
    {
      input: { ...hello, issueNumber: 1 },
      given: store => store.issues.lock(issueIn(store, 1), 'spam'),
      leaves: { look: store => issueIn(store, 1).isLocked, see: false },
    },
    {
      input: { ...hello, issueNumber: 4 },
      given: store => store.issues.lock(pullIn(store, 4), 'off-topic'),
      title: 'a pull request',
    },
    { input: { ...hello, issueNumber: 1 }, title: 'one that is not locked' },
    { input: { ...hello, issueNumber: 9999 }, fails: 'NOT_FOUND' },
    { input: { ...foreign, issueNumber: 1 }, given: addForeign, fails: 'FORBIDDEN' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  // The seed has one issue. The list leaves out the pull requests in between.
  'issue.list': {
    given: store =>
      times(229, number => {
        const author = userIn(store)
        const repository = repositoryIn(store, spoon)
        store.issues.add(repository, { title: `Issue ${number}`, author })
        if (number % 3 > 0) return
        store.pullRequests.add(repository, { title: 'Change', author, head: `topic-${number}` })
      }),
    input: { ...spoon, state: 'all' },
    count: 230,
  },
  'issue.comments.list': {
    given: store =>
      times(230, number =>
        store.comments.add(issueIn(store, 1), { author: userIn(store), body: `Comment ${number}` }),
      ),
    input: { ...hello, issueNumber: 1 },
    count: 230,
  },
}
