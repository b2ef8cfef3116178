import type { Environment, Store, WorkflowRun } from '../../sandbox/index.ts'
import { repositoryIn, userIn } from './worlds.ts'

/** Environments and deployments that cases and hostile names put into the sandbox. */

export function addEnvironment(store: Store, name: string): Environment {
  return store.deployments.addEnvironment(repositoryIn(store), {
    name,
    reviewers: [userIn(store), userIn(store, 'hubot')],
    branches: [`${name}/*`],
  })
}

interface Place {
  environment?: string
  ref?: string
  task?: string
}

export function addDeployment(store: Store, place: Place): void {
  const repository = repositoryIn(store)
  const sha = store.git.branch(repository, 'main')?.oid ?? ''
  const creator = userIn(store, 'hubot')
  const deployment = store.deployments.add(repository, {
    environment: 'preview',
    ref: 'main',
    sha,
    creator,
    ...place,
  })
  store.deployments.addStatus(deployment, { state: 'success', creator })
}

/** A run of Release by hubot that waits for these environments. */
export function addWaitingRun(store: Store, environments: readonly Environment[]): WorkflowRun {
  const repository = repositoryIn(store)
  const release = store.workflows.of(repository).find(({ name }) => name === 'Release')
  if (!release) throw new Error('the seed has no workflow Release')
  const run = store.workflowRuns.add(release, {
    headBranch: 'main',
    headSha: store.git.branch(repository, 'main')?.oid ?? '',
    event: 'workflow_dispatch',
    actor: userIn(store, 'hubot'),
    jobs: environments.map(({ name }) => ({ name, status: 'waiting' })),
  })
  for (const environment of environments) store.deployments.wait(run, environment)
  return run
}
