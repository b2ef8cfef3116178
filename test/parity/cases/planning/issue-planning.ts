import type { Store } from '../../../../sandbox/index.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { sortedMilestones } from '../../filters/planning.ts'
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

/** Adds a closed milestone, one that is due earlier than the seed's, and one without a due date. */
function addMilestones(store: Store): void {
  const repository = repositoryIn(store)
  const creator = userIn(store)
  const closed = store.milestones.add(repository, { title: 'v0.9', creator })
  Object.assign(closed, { state: 'closed', closedAt: closed.createdAt })
  store.milestones.add(repository, { title: 'Soon', creator, dueOn: '2026-02-01T08:00:00Z' })
  store.milestones.add(repository, { title: 'Some day', creator })
}

/** Gives the first milestone open and closed issues and pull requests. */
function fillMilestone(store: Store): void {
  const [milestone = null] = repositoryIn(store).milestones
  for (const number of [2, 3, 15]) issueIn(store, number).milestone = milestone
  for (const number of [4, 12, 20]) pullIn(store, number).milestone = milestone
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

const first = { ...hello, milestoneNumber: 1 }
const DUE = '2026-05-01T07:00:00Z'

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
    {
      input: { ...hello, issueNumber: 4 },
      title: 'of a pull request',
      given: fillMilestone,
      leaves: { look: store => pullIn(store, 4).milestone, see: null },
    },
    { input: { ...hello, issueNumber: 9999 }, fails: 'NOT_FOUND' },
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
  'repo.milestones.view': [
    { input: first },
    {
      input: first,
      title: 'one with open and closed issues and pull requests',
      given: fillMilestone,
    },
    { input: { ...hello, milestoneNumber: 2 }, given: addMilestones, title: 'a closed one' },
    { input: { ...hello, milestoneNumber: 99 }, fails: 'NOT_FOUND' },
    { input: { owner: 'octo-org', name: 'nothing-here', milestoneNumber: 1 }, fails: 'NOT_FOUND' },
  ],
  'repo.milestones.create': [
    {
      input: { ...hello, title: 'Next: 50 % # & 🚂', description: 'Soon.', dueOn: DUE },
      leaves: {
        look: store => repositoryIn(store).milestones.at(-1)?.description,
        see: 'Soon.',
      },
    },
    { input: { ...hello, title: 'A title alone' } },
    { input: { ...hello, title: 'v1.0' }, title: 'a title that is taken', fails: 'CONFLICT' },
    { input: { ...hello, title: '  ' }, title: 'a blank title', fails: 'VALIDATION' },
    { input: { ...hello, title: 'x', dueOn: 'tomorrow' }, fails: 'VALIDATION' },
    { input: { ...attic, title: 'x' }, title: 'in an archived repository', fails: 'FORBIDDEN' },
    { input: { ...foreign, title: 'x' }, given: addForeign, fails: 'FORBIDDEN' },
  ],
  'repo.milestones.update': [
    {
      input: { ...first, title: 'v1.1', description: 'Late.', state: 'closed', dueOn: DUE },
      answers: {
        look: data => [data.title, data.description, data.state, data.dueOn],
        see: ['v1.1', 'Late.', 'CLOSED', DUE],
      },
    },
    {
      input: { ...hello, milestoneNumber: 2, state: 'open' },
      given: addMilestones,
      title: 'reopens a closed one',
      answers: { look: data => data.state, see: 'OPEN' },
    },
    {
      input: { ...first, dueOn: '' },
      title: 'without a due date, and with the rest of it',
      answers: { look: data => [data.title, data.dueOn], see: ['v1.0', null] },
    },
    {
      input: { ...first, description: '' },
      title: 'without a description, and with its due date',
      leaves: { look: store => repositoryIn(store).milestones[0]?.dueOn !== null, see: true },
    },
    { input: { ...first, title: 'Soon' }, given: addMilestones, fails: 'CONFLICT' },
    { input: first, title: 'nothing to change', fails: 'VALIDATION' },
    { input: { ...hello, milestoneNumber: 99, title: 'x' }, fails: 'NOT_FOUND' },
    {
      input: { ...foreign, milestoneNumber: 1, title: 'x' },
      given: addForeign,
      fails: 'FORBIDDEN',
    },
  ],
  'repo.milestones.delete': [
    {
      input: first,
      leaves: {
        look: store => [repositoryIn(store).milestones.length, issueIn(store, 1).milestone],
        see: [0, null],
      },
    },
    { input: { ...hello, milestoneNumber: 99 }, fails: 'NOT_FOUND' },
    { input: { ...foreign, milestoneNumber: 1 }, given: addForeign, fails: 'FORBIDDEN' },
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
