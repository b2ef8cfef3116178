import type { PullRequest, Store } from '../../../../sandbox/index.ts'
import { associations, withNothing } from '../../associations.ts'
import type { Data, ParityCase, ParityCases } from '../../case.ts'
import { addForeign, addTeam, foreign, hello, pullIn, repositoryIn, userIn } from '../../worlds.ts'

const attic = { owner: 'octo-org', name: 'attic' }
const open = { ...hello, prNumber: 4 }
const draft = { ...hello, prNumber: 8 }
const anIssue = { ...hello, prNumber: 1 }
const fresh = { ...hello, title: 'A new one', head: 'feature/without-pull-request', base: 'main' }
const noDraftByRest = { rest: "GitHub's REST API cannot turn a pull request into a draft" }
const noTemplates = { rest: 'lists no templates', cli: 'lists no templates' }

function branch(store: Store, name = 'feature/without-pull-request'): void {
  const changes = { 'feature.md': 'New.\n' }
  const commit = { author: userIn(store), message: 'Begin', changes, branch: name }
  store.git.commit(repositoryIn(store), commit)
}

function pullInAttic(store: Store): PullRequest {
  const fields = { title: 'Too late', author: userIn(store, 'hubot'), head: 'late' }
  return store.pullRequests.add(repositoryIn(store, attic), fields)
}
const inAttic = { ...attic, prNumber: 2 }
const given = { given: (store: Store) => void pullInAttic(store) }

/** The branch is in a fork of another name. */
function addFork(store: Store): void {
  const octocat = userIn(store)
  const fork = store.repositories.fork(repositoryIn(store), {
    owner: octocat,
    by: octocat,
    name: 'hello.fork',
    onlyDefaultBranch: true,
  })
  const changes = { 'feature.md': 'New.\n' }
  store.git.commit(fork, { author: octocat, message: 'Begin', changes, branch: 'feature#1' })
}

const asked = (data: Data) => [data.reviewers, data.teamReviewers]
const inProject = (data: Data) => typeof data.projectItemId

const lastHead = (store: Store) => {
  const item = [...repositoryIn(store).items.values()].at(-1)
  return item?.kind === 'PullRequest' && [item.head.repository.name, item.head.name, item.body]
}

/** The inputs of both beside a title and a body. `reviewer` is not the author. */
const reviewed = (input: object, reviewer: string, prepare: (store: Store) => void) =>
  [
    ...associations(input),
    {
      input: { ...input, reviewers: [reviewer], teamReviewers: ['core-team'] },
      given: addTeam,
      answers: { look: asked, see: [[reviewer], ['core-team']] },
    },
    { input: { ...input, projectNumber: 1 }, answers: { look: inProject, see: 'string' } },
    { input: { ...input, projectNumber: 99 }, fails: 'NOT_FOUND' },
    { input: { ...input, reviewers: ['mallory'] }, title: 'a reviewer who may not' },
    { input: { ...input, reviewers: ['no-such-user'] }, fails: 'NOT_FOUND' },
    { input: { ...input, teamReviewers: ['no-team'] }, fails: 'NOT_FOUND' },
  ].map(one => ({
    ...one,
    given: (store: Store) => {
      prepare(store)
      one.given?.(store)
    },
  })) as ParityCase[]

export const cases: ParityCases = {
  'pr.create': [
    { input: { ...fresh, body: 'Why and how.' }, given: store => branch(store) },
    { input: fresh, title: 'without a body', given: store => branch(store) },
    { input: { ...fresh, draft: true }, given: store => branch(store) },
    {
      input: { ...fresh, head: 'octo-org:feature/without-pull-request' },
      given: store => branch(store),
    },
    { input: fresh, title: 'no such head', fails: 'VALIDATION' },
    { input: { ...fresh, head: 'topic-4', base: 'nothing' }, fails: 'VALIDATION' },
    { input: { ...fresh, head: 'topic-4' }, title: 'one is open', fails: 'CONFLICT' },
    { input: { ...fresh, head: 'main' }, title: 'nothing to merge', fails: 'VALIDATION' },
    { input: { ...fresh, owner: 'octo-org', name: 'nothing-here' }, fails: 'NOT_FOUND' },
    { input: { ...fresh, ...attic }, fails: 'FORBIDDEN' },
    ...reviewed(fresh, 'hubot', store => branch(store)),
    {
      input: { ...fresh, head: 'feature#1', headRepository: 'octocat/hello.fork' },
      given: addFork,
      title: 'from a fork of another name',
      leaves: { look: lastHead, see: ['hello.fork', 'feature#1', null] },
    },
    {
      input: { ...fresh, head: 'octocat:feature#1' },
      given: addFork,
      title: 'from a fork, named by its owner',
      leaves: { look: lastHead, see: ['hello.fork', 'feature#1', null] },
    },
    {
      input: { ...fresh, head: 'main', headRepository: 'octocat/no-such-fork' },
      title: 'from a fork that does not exist',
      fails: 'NOT_FOUND',
    },
    {
      input: { ...fresh, template: 'bug fix 🚂.md' },
      given: store => {
        branch(store)
        const changes = { '.github/PULL_REQUEST_TEMPLATE/bug fix 🚂.md': '## Why\n' }
        store.git.commit(repositoryIn(store), {
          author: userIn(store),
          message: 'Templates',
          changes,
        })
      },
      except: noTemplates,
      leaves: { look: lastHead, see: ['hello-world', fresh.head, '## Why\n'] },
    },
    {
      input: { ...foreign, title: 'x', head: 'topic', base: 'main', labels: ['bug'] },
      title: 'labels in a repository of others, which GitHub leaves out',
      given: store => {
        addForeign(store)
        const fields = { author: userIn(store, 'mallory'), message: 'One', changes: { a: 'b' } }
        store.git.commit(repositoryIn(store, foreign), { ...fields, branch: 'topic' })
      },
      answers: { look: data => data.labels, see: [] },
    },
  ],
  'pr.update': [
    { input: { ...open, title: 'Renamed' } },
    { input: { ...open, body: '' }, title: 'the body cleared' },
    { input: { ...open, title: 'Renamed', body: 'And told.' } },
    { input: { ...open, draft: true }, except: noDraftByRest },
    { input: { ...draft, draft: false, title: 'Ready' }, except: noDraftByRest },
    { input: { ...draft, draft: true }, title: 'a draft before', except: noDraftByRest },
    { input: { ...open, title: '  ' }, title: 'a blank title', fails: 'VALIDATION' },
    { input: open, title: 'nothing to change', fails: 'VALIDATION' },
    { input: { ...anIssue, title: 'x' }, fails: 'NOT_FOUND' },
    { input: { ...inAttic, title: 'x' }, ...given, fails: 'FORBIDDEN' },
    ...reviewed(open, 'octocat', () => {}),
    withNothing(open, store => store.issues.assign(pullIn(store, 4), [userIn(store)])),
  ],
}
