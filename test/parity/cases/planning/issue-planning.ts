import type { Store } from '../../../../sandbox/index.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { sortedMilestones } from '../../filters/planning.ts'
import { addForeign, foreign, hello, repositoryIn, spoon, times, userIn } from '../../worlds.ts'

/** Adds a closed milestone, one that is due earlier than the seed's, and one without a due date. */
function addMilestones(store: Store): void {
  const repository = repositoryIn(store)
  const creator = userIn(store)
  const closed = store.milestones.add(repository, { title: 'v0.9', creator })
  Object.assign(closed, { state: 'closed', closedAt: closed.createdAt })
  store.milestones.add(repository, { title: 'Soon', creator, dueOn: '2026-02-01T08:00:00Z' })
  store.milestones.add(repository, { title: 'Some day', creator })
}

function addTypes(store: Store, count: number): void {
  const organization = store.accounts.find('octo-org')
  if (organization?.kind !== 'Organization') throw new Error('the seed has no octo-org')
  times(count, number =>
    store.issueTypes.add(organization, {
      name: `Type ${number}`,
      description: number % 2 === 0 ? null : `What type ${number} is for.`,
      color: number % 3 === 0 ? 'purple' : 'gray',
      isEnabled: number % 5 > 0,
    }),
  )
}

export const cases: ParityCases = {
  'issue.milestone.set': [
    { input: { ...hello, issueNumber: 2, milestoneNumber: 1 } },
    { input: { ...hello, issueNumber: 1, milestoneNumber: 1 }, title: 'to the one it has' },
    { input: { ...hello, issueNumber: 1, milestoneNumber: 3 }, given: addMilestones },
    { input: { ...hello, issueNumber: 1, milestoneNumber: 99 }, fails: 'VALIDATION' },
    {
      input: { ...hello, issueNumber: 4, milestoneNumber: 1 },
      title: 'of a pull request',
      fails: 'NOT_FOUND',
    },
    { input: { ...hello, issueNumber: 9999, milestoneNumber: 1 }, fails: 'NOT_FOUND' },
    {
      input: { ...foreign, issueNumber: 1, milestoneNumber: 1 },
      given: addForeign,
      fails: 'FORBIDDEN',
    },
  ],
  'issue.milestone.clear': [
    { input: { ...hello, issueNumber: 1 } },
    { input: { ...hello, issueNumber: 2 }, title: 'of one that has none' },
    { input: { ...hello, issueNumber: 4 }, title: 'of a pull request', fails: 'NOT_FOUND' },
    { input: { ...foreign, issueNumber: 1 }, given: addForeign, fails: 'FORBIDDEN' },
  ],
  'repo.milestones.list': [
    { input: hello },
    { input: hello, given: addMilestones, title: 'open ones' },
    { input: { ...hello, state: 'closed' }, given: addMilestones },
    { input: { ...hello, state: 'all', first: 2 }, given: addMilestones },
    ...sortedMilestones,
    { input: spoon, title: 'an empty list' },
    { input: { owner: 'octo-org', name: 'nothing-here' }, fails: 'NOT_FOUND' },
  ],
  'repo.issue_types.list': [
    { input: hello, title: 'an empty list' },
    { input: hello, given: store => addTypes(store, 7) },
    { input: { ...hello, first: 3 }, given: store => addTypes(store, 7) },
    { input: spoon, title: 'of a user, who has none' },
    { input: { owner: 'octo-org', name: 'nothing-here' }, fails: 'NOT_FOUND' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'repo.milestones.list': {
    given: store =>
      times(230, number =>
        store.milestones.add(repositoryIn(store, spoon), {
          title: `Sprint ${number}`,
          creator: userIn(store),
          dueOn: number % 7 === 0 ? null : `2026-0${(number % 9) + 1}-01T08:00:00Z`,
        }),
      ),
    input: spoon,
    count: 230,
  },
  'repo.issue_types.list': {
    given: store => addTypes(store, 230),
    input: hello,
    count: 230,
  },
}
