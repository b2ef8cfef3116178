import type { Store } from '../../../../sandbox/index.ts'
import type { Input, ParityCases } from '../../case.ts'
import { addEnvironment, addWaitingRun } from '../../deployment-world.ts'
import { hello, repositoryIn, userIn } from '../../worlds.ts'

const names = ['review/app #1', 'canary+1%']

const addTwo = (store: Store) =>
  void addWaitingRun(
    store,
    names.map(name => addEnvironment(store, name)),
  )

function rejectOne(store: Store): void {
  const run = addWaitingRun(
    store,
    names.map(name => addEnvironment(store, name)),
  )
  const [first] = store.deployments.pendingOf(run)
  const review = { user: userIn(store, 'hubot'), state: 'rejected', comment: 'No 🚂' } as const
  store.deployments.review(run, first ? [first] : [], review)
}

/** Only hubot may review it. */
function addForeignReview(store: Store): void {
  const reviewers = [userIn(store, 'hubot')]
  const environment = store.deployments.addEnvironment(repositoryIn(store), {
    name: 'x',
    reviewers,
  })
  addWaitingRun(store, [environment])
}

const lastRun = (store: Store) => store.workflowRuns.of(repositoryIn(store)).at(-1)
const ofRun =
  (input: Input) =>
  (store: Store): Input => ({ ...hello, runId: lastRun(store)?.databaseId, ...input })

/** The waiting deployments of the run, the reviews, and the states of its jobs. */
const outcome = (store: Store) => {
  const run = lastRun(store)
  if (!run) throw new Error('there is no run')
  return {
    waits: store.deployments.pendingOf(run).map(({ environment }) => environment.name),
    reviews: store.deployments
      .reviewsOf(run)
      .map(({ environments, state, comment }) => [environments[0]?.name, state, comment]),
    jobs: run.suite.checkRuns.map(({ status, conclusion }) => conclusion ?? status),
  }
}

export const cases: ParityCases = {
  'workflow.run.pending_deployments.list': [
    {
      input: ofRun({}),
      title: 'two',
      given: addTwo,
      answers: {
        look: ({ items }) => items.map((it: Input) => [it.environment, it.canApprove]),
        see: names.map(name => [name, true]),
      },
    },
    {
      input: ofRun({}),
      title: 'one is rejected',
      given: rejectOne,
      answers: {
        look: ({ items, reviews }) => [items.length, reviews],
        see: [
          1,
          [{ state: 'REJECTED', reviewer: 'hubot', comment: 'No 🚂', environments: [names[0]] }],
        ],
      },
    },
    { input: ofRun({}), title: 'one that others review', given: addForeignReview },
    { input: ofRun({}), title: 'none' },
    { input: { ...hello, runId: 404 }, fails: 'NOT_FOUND' },
  ],
  'workflow.run.pending_deployments.approve': [
    {
      input: ofRun({ environments: [names[0]], comment: 'Tried it: 50 % "faster" 🚂' }),
      title: 'one of two',
      given: addTwo,
      leaves: {
        look: outcome,
        see: {
          waits: [names[1]],
          reviews: [[names[0], 'approved', 'Tried it: 50 % "faster" 🚂']],
          jobs: ['queued', 'queued'],
        },
      },
    },
    { input: ofRun({ environments: names }), title: 'both', given: addTwo },
    {
      input: ofRun({ environments: ['production'] }),
      title: 'one that does not wait',
      given: addTwo,
      fails: 'CONFLICT',
    },
    {
      input: ofRun({ environments: ['x'] }),
      title: 'one that others review',
      given: addForeignReview,
      fails: 'FORBIDDEN',
    },
    { input: ofRun({ environments: [] }), title: 'none', given: addTwo, fails: 'VALIDATION' },
    { input: { ...hello, runId: 404, environments: ['x'] }, fails: 'NOT_FOUND' },
  ],
  'workflow.run.pending_deployments.reject': [
    {
      input: ofRun({ environments: names }),
      title: 'both',
      given: addTwo,
      leaves: {
        look: outcome,
        see: { waits: [], reviews: [[names[0], 'rejected', '']], jobs: ['failure', 'failure'] },
      },
    },
    {
      input: ofRun({ environments: ['production'] }),
      title: 'one that does not wait',
      given: addTwo,
      fails: 'CONFLICT',
    },
    { input: { ...hello, runId: 404, environments: ['x'] }, fails: 'NOT_FOUND' },
  ],
}
