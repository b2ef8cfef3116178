import type { Store } from '../../../../sandbox/index.ts'
import { ofActors } from '../../actors.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { addTeam, hello, pullIn, repositoryIn, spoon, times, userIn } from '../../worlds.ts'

const attic = { owner: 'octo-org', name: 'attic' }
const asked = { ...hello, prNumber: 4 }

/** The sandbox's token belongs to octocat, who is the author of this pull request. */
function ownPull(store: Store): void {
  const fields = { title: 'Mine', author: userIn(store), head: 'mine' }
  store.pullRequests.add(repositoryIn(store, spoon), fields)
}

function pullInAttic(store: Store): void {
  const fields = { title: 'Too late', author: userIn(store, 'hubot'), head: 'late' }
  store.pullRequests.add(repositoryIn(store, attic), fields)
}

function askBoth(store: Store): void {
  addTeam(store)
  const { owner } = repositoryIn(store)
  const reviewers = [userIn(store), store.accounts.findTeam(owner, 'core-team')]
  store.reviewRequests.add(pullIn(store, 4), reviewers)
}

function part(number: number, line: number) {
  return { path: `src/parts/part-${number}.ts`, line }
}

export const cases: ParityCases = {
  'pr.reviews.list': [
    ...ofActors(
      { ...hello, prNumber: 20 },
      (store, author) => Object.assign(pullIn(store, 20).reviews[0] ?? {}, { author }),
      data => data.items[0].author,
    ),
    { input: { ...hello, prNumber: 20 }, title: 'sent back, talked over, approved' },
    { input: { ...hello, prNumber: 36 }, title: 'one that is pending' },
    { input: { ...hello, prNumber: 8 }, title: 'an empty list' },
    {
      input: { ...hello, prNumber: 4, since: '2026-03-01T00:00:00Z', first: 1 },
      title: 'those since a time, behind many older ones',
      given: store => {
        const fields = { author: userIn(store, 'hubot'), event: 'COMMENT' } as const
        const add = (body: string, createdAt: string) =>
          store.reviews.add(pullIn(store, 4), { ...fields, body, createdAt })
        times(150, number => add(`Old ${number}`, '2026-02-28T23:59:59Z'))
        times(2, number => add(`Late ${number}`, '2026-03-01T00:00:00Z'))
      },
      answers: { look: ({ items }) => items[0].body, see: 'Late 1' },
    },
    {
      input: { ...hello, prNumber: 36, since: '2020-03-01T00:00:00Z' },
      title: 'one that is pending was not submitted at any time',
    },
    {
      input: { ...hello, prNumber: 4 },
      title: 'one that was dismissed',
      given: store =>
        store.reviews.dismiss(
          store.reviews.add(pullIn(store, 4), { author: userIn(store), event: 'APPROVE' }),
        ),
    },
    {
      input: { ...hello, prNumber: 4 },
      title: "another's pending one is not there",
      given: store => void store.reviews.add(pullIn(store, 4), { author: userIn(store, 'hubot') }),
    },
    { input: { ...hello, prNumber: 1 }, title: 'of an issue', fails: 'NOT_FOUND' },
    { input: { ...hello, prNumber: 9999 }, fails: 'NOT_FOUND' },
    { input: { owner: 'mallory', name: 'hidden', prNumber: 1 }, fails: 'NOT_FOUND' },
  ],
  'pr.reviews.request': [
    { input: { ...asked, reviewers: ['octocat'] } },
    { input: { ...hello, prNumber: 36, reviewers: ['OctoCat'] }, title: 'who is asked already' },
    { input: { ...asked, reviewers: ['mallory'] }, fails: 'VALIDATION' },
    { input: { ...asked, reviewers: ['octocat', 'nobody-here'] }, fails: 'VALIDATION' },
    { input: { ...asked, reviewers: ['hubot'] }, title: 'its author', fails: 'VALIDATION' },
    { input: { ...asked, reviewers: ['--web'] }, fails: 'VALIDATION' },
    {
      input: { ...asked, teamReviewers: ['core-team'] },
      given: addTeam,
      answers: { look: data => [data.teamReviewers, data.updated], see: [['core-team'], true] },
    },
    {
      input: { ...asked, reviewers: ['octocat'], teamReviewers: ['core-team'] },
      given: addTeam,
      answers: {
        look: data => [data.reviewers, data.teamReviewers],
        see: [['octocat'], ['core-team']],
      },
    },
    { input: { ...asked, teamReviewers: ['no-team'] }, fails: 'VALIDATION' },
    { input: asked, title: 'nobody', fails: 'VALIDATION' },
    { input: { ...hello, prNumber: 1, reviewers: ['octocat'] }, fails: 'NOT_FOUND' },
    {
      input: { ...attic, prNumber: 2, reviewers: ['octocat'] },
      given: pullInAttic,
      fails: 'FORBIDDEN',
    },
  ],
  'pr.reviews.request.remove': [
    {
      input: { ...asked, reviewers: ['OctoCat'] },
      given: askBoth,
      answers: { look: data => [data.reviewers, data.teamReviewers], see: [[], ['core-team']] },
    },
    {
      input: { ...asked, teamReviewers: ['core-team'] },
      given: askBoth,
      answers: { look: data => [data.reviewers, data.teamReviewers], see: [['octocat'], []] },
    },
    { input: { ...asked, reviewers: ['octocat'] }, title: 'of one who is not asked' },
    { input: asked, title: 'nobody', fails: 'VALIDATION' },
    { input: { ...hello, prNumber: 1, reviewers: ['octocat'] }, fails: 'NOT_FOUND' },
  ],
  'pr.reviews.submit': [
    { input: { ...asked, event: 'APPROVE' } },
    { input: { ...asked, event: 'APPROVE', body: 'Good, $(reboot) and all.' } },
    { input: { ...asked, event: 'COMMENT', body: 'Have you seen this?' } },
    {
      input: {
        ...asked,
        event: 'REQUEST_CHANGES',
        body: 'Please look again.',
        comments: [
          { ...part(4, 2), body: 'Why?' },
          { ...part(4, 1), side: 'LEFT', body: 'Was needed.' },
          { ...part(4, 4), startLine: 2, body: 'All three.' },
          { ...part(4, 3), startLine: 1, startSide: 'LEFT', body: 'From there to here.' },
        ],
      },
      title: 'with comments',
    },
    {
      input: { ...asked, event: 'COMMENT', comments: [{ ...part(4, 1), body: 'Only this.' }] },
      title: 'comments alone',
    },
    { input: { ...asked, event: 'COMMENT' }, title: 'nothing said', fails: 'VALIDATION' },
    { input: { ...asked, event: 'REQUEST_CHANGES' }, fails: 'VALIDATION' },
    {
      input: { ...spoon, prNumber: 2, event: 'APPROVE' },
      given: ownPull,
      title: 'his own',
      fails: 'VALIDATION',
    },
    {
      input: { ...hello, prNumber: 36, event: 'APPROVE' },
      title: 'one pending',
      fails: 'CONFLICT',
    },
    {
      input: { ...asked, event: 'COMMENT', comments: [{ ...part(4, 39), body: 'Not there.' }] },
      title: 'a line that is not in the diff',
      fails: 'VALIDATION',
    },
    {
      input: { ...asked, event: 'COMMENT', comments: [{ path: 'none.md', line: 1, body: 'x' }] },
      title: 'a file that is not in the diff',
      fails: 'VALIDATION',
    },
    {
      input: { ...asked, event: 'COMMENT', comments: [{ ...part(4, 2), startLine: 3, body: 'x' }] },
      title: 'an end before the start',
      fails: 'VALIDATION',
    },
    { input: { ...hello, prNumber: 1, event: 'APPROVE' }, fails: 'NOT_FOUND' },
    {
      input: { ...attic, prNumber: 2, event: 'APPROVE' },
      given: pullInAttic,
      fails: 'FORBIDDEN',
    },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'pr.reviews.list': {
    given: store =>
      times(230, number => {
        const author = userIn(store, number % 2 === 0 ? 'octocat' : 'hubot')
        store.reviews.add(pullIn(store, 4), { author, event: 'COMMENT', body: `Thought ${number}` })
      }),
    input: { ...hello, prNumber: 4 },
    count: 230,
  },
}
