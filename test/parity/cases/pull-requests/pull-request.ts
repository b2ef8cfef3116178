import type { Store } from '../../../../sandbox/index.ts'
import { ofActors } from '../../actors.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { filteredPulls } from '../../filters/pulls.ts'
import { hello, pullIn, repositoryIn, spoon, times, userIn } from '../../worlds.ts'

/** Fills the members of pull request 4 that the seed leaves empty. */
function addPeople(store: Store): void {
  const pull = pullIn(store, 4)
  const [octocat, hubot] = [userIn(store), userIn(store, 'hubot')]
  store.issues.update(pull, {
    assignees: [octocat, hubot],
    milestone: repositoryIn(store).milestones[0] ?? null,
  })
  pull.author = octocat
  store.reviewRequests.add(pull, [hubot])
  pull.autoMerge = { method: 'squash', enabledBy: octocat, enabledAt: '2026-03-01T00:00:00Z' }
}

/** Asks a user and a team for their review of pull request 4. */
function askTeam(store: Store): void {
  const { owner } = repositoryIn(store)
  if (owner.kind !== 'Organization') throw new Error('the owner has no teams')
  const team = store.accounts.addTeam(owner, 'Core team')
  store.reviewRequests.add(pullIn(store, 4), [userIn(store), team])
}

export const cases: ParityCases = {
  'pr.list': [
    { input: hello },
    { input: { ...hello, state: 'closed' } },
    { input: { ...hello, state: 'all', first: 4 } },
    {
      input: { ...hello, state: 'merged', first: 2 },
      answers: { look: ({ items }) => items[0].state, see: 'MERGED' },
    },
    {
      input: { ...hello, headRefName: 'topic-4' },
      answers: { look: ({ items }) => items.length, see: 1 },
    },
    { input: { ...hello, headRefName: 'no-such-branch' }, title: 'a branch without any' },
    ...filteredPulls,
    ...ofActors(
      { ...hello, headRefName: 'topic-4' },
      (store, author) => Object.assign(pullIn(store, 4), { author }),
      data => data.items[0].author,
    ),
    { input: spoon, title: 'an empty list' },
    { input: { owner: 'octo-org', name: 'nothing-here' }, fails: 'NOT_FOUND' },
  ],
  'pr.view': [
    {
      input: { ...hello, prNumber: 4 },
      title: 'one that teams are asked about',
      given: askTeam,
      answers: { look: data => data.reviewRequests, see: ['octocat'] },
    },
    {
      input: { ...hello, prNumber: 4, include: ['teamReviewRequests'] },
      title: 'with the teams',
      given: askTeam,
      answers: { look: data => data.teamReviewRequests, see: ['core-team'] },
    },
    ...ofActors({ ...hello, prNumber: 4 }, (store, actor) => {
      const pull = pullIn(store, 4)
      store.reviewRequests.add(pull, [userIn(store)])
      const [request] = pull.reviewRequests
      // Nobody asks an account that is gone for a review.
      const isThere = actor.login !== 'ghost'
      if (request && isThere) pull.reviewRequests.push({ ...request, reviewer: actor })
      Object.assign(pull, { author: actor, assignees: [userIn(store), actor] })
    }),
    ...ofActors(
      { ...hello, prNumber: 16 },
      (store, mergedBy) => Object.assign(pullIn(store, 16), { mergedBy }),
      data => data.mergedBy,
    ),
    { input: { ...hello, prNumber: 4 } },
    { input: { ...hello, prNumber: 4, exclude: ['body'] } },
    { input: { ...hello, prNumber: 8 }, title: 'a draft' },
    { input: { ...hello, prNumber: 16 }, title: 'a merged one' },
    { input: { ...hello, prNumber: 12 }, title: 'a closed one' },
    {
      input: { ...hello, prNumber: 4 },
      title: 'one with people, a milestone, comments and auto-merge',
      given: addPeople,
      answers: {
        look: ({ reviewRequests, assignees, milestone, commentCount, autoMergeRequest }) => [
          [reviewRequests, assignees, milestone.title],
          [commentCount, autoMergeRequest],
        ],
        see: [
          [['hubot'], ['hubot', 'octocat'], 'v1.0'],
          [1, { enabledBy: 'octocat', mergeMethod: 'SQUASH' }],
        ],
      },
    },
    {
      input: { ...hello, prNumber: 4, include: ['reviewDecision'] },
      except: { rest: 'has no decision', cli: 'asks REST' },
      answers: { look: data => 'reviewDecision' in data, see: true },
    },
    {
      input: { ...hello, prNumber: 4, include: ['mergeQueueEntry'] },
      given: store => {
        repositoryIn(store).merging.branches.set('main', { hasMergeQueue: true })
        pullIn(store, 4).queueEntry = {
          enqueuer: userIn(store),
          enqueuedAt: '2026-01-05T00:00:00Z',
        }
      },
      except: { rest: 'has no merge queue', cli: 'asks REST' },
      answers: { look: data => data.mergeQueueEntry.enqueuer, see: 'octocat' },
    },
    { input: { ...hello, prNumber: 1 }, title: 'an issue', fails: 'NOT_FOUND' },
    { input: { ...hello, prNumber: 9999 }, fails: 'NOT_FOUND' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'pr.list': {
    given: store =>
      times(230, number => {
        const fields = { title: `Change ${number}`, author: userIn(store), head: `topic-${number}` }
        store.pullRequests.add(repositoryIn(store, spoon), fields)
      }),
    input: { ...spoon, state: 'all' },
    count: 230,
  },
}
