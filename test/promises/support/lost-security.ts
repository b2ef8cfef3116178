import type { Store } from '../../../sandbox/index.ts'
import { addEnvironment, addWaitingRun } from '../../parity/deployment-world.ts'
import { addDependency, addScan, addSecret } from '../../parity/security-world.ts'
import { hello, repositoryIn, times, userIn } from '../../parity/worlds.ts'
import type { LostWrite } from './lost-writes.ts'

const MANY = 150
const first = { ...hello, alertNumber: 1 }

/** hubot's run waits for a review of the last of many environments. */
function addWaiting(store: Store): void {
  times(MANY, number => void addEnvironment(store, `e-${number}`))
  addWaitingRun(store, [addEnvironment(store, 'zulu')])
}

const review = (store: Store) => ({
  ...hello,
  runId: store.workflowRuns.of(repositoryIn(store)).at(-1)?.databaseId,
  environments: ['zulu'],
})

/** Changes of alerts and invitations, and the read that shows each. */
export const lostSecurity: Readonly<Record<string, LostWrite>> = {
  'repo.code_scanning.alert.dismiss': {
    given: store => times(MANY, () => addScan(store, {})),
    input: () => ({ ...first, reason: 'MITIGATED' }),
    on: { method: 'PATCH' },
    shows: data => data.dismissedReason === 'MITIGATED',
  },
  'repo.dependabot.alert.dismiss': {
    given: store => times(MANY, () => addDependency(store, {})),
    input: () => ({ ...first, reason: 'NOT_USED' }),
    on: { method: 'PATCH' },
    shows: data => data.dismissedReason === 'NOT_USED',
  },
  'repo.secret_scanning.alert.resolve': {
    given: store => times(MANY, () => addSecret(store)),
    input: () => ({ ...first, resolution: 'REVOKED' }),
    on: { method: 'PATCH' },
    shows: data => data.resolution === 'REVOKED',
  },
  'repo.secret_scanning.alert.reopen': {
    given: store => times(MANY, () => addSecret(store)),
    input: () => ({ ...hello, alertNumber: 2 }),
    on: { method: 'PATCH' },
    shows: data => data.state === 'OPEN',
  },
  'viewer.invitations.decline': {
    given: store => {
      const inviter = userIn(store, 'mallory')
      const repository = store.repositories.add({ owner: inviter, name: '404' })
      const invitee = userIn(store)
      store.administration.invite({ repository, invitee, inviter, permission: 'read' })
    },
    input: store => ({
      invitationId: store.administration.invitationsOf(userIn(store))[0]?.databaseId,
    }),
    on: { method: 'DELETE' },
    shows: data => data.items.length === 0,
  },
}

const reviewed = (state: string): LostWrite => ({
  given: addWaiting,
  input: review,
  shows: ({ items, reviews }) => items.length === 0 && reviews[0].state === state,
})

/** Reviews of deployments, which the pending ones and the reviews together show. */
export const lostDeploymentReviews: Readonly<Record<string, LostWrite>> = {
  'workflow.run.pending_deployments.approve': reviewed('APPROVED'),
  'workflow.run.pending_deployments.reject': reviewed('REJECTED'),
}
