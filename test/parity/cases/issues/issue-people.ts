import type { Store } from '../../../../sandbox/index.ts'
import type { ParityCase, ParityCases } from '../../case.ts'
import { addForeign, foreign, hello, issueIn, pullIn, times, userIn } from '../../worlds.ts'

const free = { ...hello, issueNumber: 2 }
const taken = { ...hello, issueNumber: 1 }

/** Adds more users than fit on a page. Their names share a part. */
function addCrowd(store: Store): void {
  const repository = issueIn(store, 1).repository
  times(230, number => {
    const user = store.accounts.addUser({ login: `octo-dev-${number}`, name: 'Octo Developer' })
    repository.collaborators.set(user, 'write')
  })
}

function assignPull(store: Store): void {
  store.issues.assign(pullIn(store, 4), [userIn(store), userIn(store, 'hubot')])
}

const foreignCase = (member: string): ParityCase => ({
  input: { ...foreign, [member]: 1, assignees: ['octocat'] },
  given(store) {
    addForeign(store)
    const repository = store.repositories.find('mallory', 'open')
    const author = userIn(store, 'mallory')
    if (repository) store.pullRequests.add(repository, { title: 'Mine', author, head: 'topic' })
  },
  fails: 'FORBIDDEN',
})

export const cases: ParityCases = {
  'issue.assignees.add': [
    { input: { ...free, assignees: ['octocat', 'hubot'] } },
    { input: { ...free, assignees: ['HuBot'] }, title: 'in other letters' },
    { input: { ...taken, assignees: ['octocat'] }, title: 'one who is assigned already' },
    { input: { ...free, assignees: ['octocat', 'mallory'] }, title: 'one who cannot be' },
    { input: { ...free, assignees: ['nobody-here'] }, title: 'one who does not exist' },
    { input: { ...free, assignees: ['octo-dev-7', 'octo-dev-230'] }, given: addCrowd },
    {
      input: { ...hello, issueNumber: 4, assignees: ['hubot'] },
      title: 'of a pull request',
      fails: 'NOT_FOUND',
    },
    { input: { ...hello, issueNumber: 9999, assignees: ['hubot'] }, fails: 'NOT_FOUND' },
    { input: { ...free, assignees: ['--add-label=x'] }, fails: 'VALIDATION' },
    foreignCase('issueNumber'),
  ],
  'issue.assignees.remove': [
    { input: { ...taken, assignees: ['hubot'] } },
    {
      input: { ...taken, assignees: ['OCTOCAT', 'hubot'] },
      title: 'all',
      answers: { look: data => data.removed, see: ['hubot', 'octocat'] },
    },
    {
      input: { ...taken, assignees: ['HUBOT', 'nobody-here'] },
      title: 'one of two',
      answers: { look: data => data.removed, see: ['hubot'] },
    },
    {
      input: { ...free, assignees: ['mallory'] },
      title: 'one who was not assigned',
      answers: { look: data => data.removed, see: [] },
    },
    {
      input: { ...hello, issueNumber: 4, assignees: ['hubot'] },
      title: 'of a pull request',
      fails: 'NOT_FOUND',
    },
    foreignCase('issueNumber'),
  ],
  'issue.assignees.set': [
    { input: { ...taken, assignees: ['hubot'] } },
    { input: { ...taken, assignees: [] }, title: 'to nobody' },
    { input: { ...free, assignees: ['octo-dev-230'] }, given: addCrowd, title: 'among hundreds' },
    {
      input: { ...free, assignees: ['hubot', 'mallory'] },
      title: 'one who cannot be',
      fails: 'VALIDATION',
    },
    {
      input: { ...hello, issueNumber: 4, assignees: [] },
      title: 'of a pull request',
      fails: 'NOT_FOUND',
    },
    { input: { ...foreign, issueNumber: 1, assignees: [] }, given: addForeign, fails: 'FORBIDDEN' },
  ],
  'pr.assignees.add': [
    { input: { ...hello, prNumber: 4, assignees: ['octocat', 'hubot'] } },
    { input: { ...hello, prNumber: 4, assignees: ['mallory'] }, title: 'one who cannot be' },
    {
      input: { ...hello, prNumber: 1, assignees: ['hubot'] },
      title: 'of an issue',
      fails: 'NOT_FOUND',
    },
    { input: { ...hello, prNumber: 9999, assignees: ['hubot'] }, fails: 'NOT_FOUND' },
  ],
  'pr.assignees.remove': [
    { input: { ...hello, prNumber: 4, assignees: ['hubot'] }, given: assignPull },
    {
      input: { ...hello, prNumber: 4, assignees: ['mallory', 'HUBOT'] },
      given: assignPull,
      title: 'one who was not assigned, and one who was',
      answers: { look: data => data.removed, see: ['hubot'] },
    },
    {
      input: { ...hello, prNumber: 1, assignees: ['hubot'] },
      title: 'of an issue',
      fails: 'NOT_FOUND',
    },
  ],
}
