import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WorkflowRun } from '../../sandbox/index.ts'
import { addEnvironment, addWaitingRun } from '../parity/deployment-world.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const dispatch = { ...repo, ref: 'main', inputs: { environment: 'staging' } }

describe('a write to workflow runs whose answer is lost', () => {
  let gateway: TestGateway
  // A gateway that remembers writes would take an id that a reset sandbox gives again for that of another write.
  beforeEach(async () => {
    gateway = await startTestGateway()
  })
  afterEach(() => gateway[Symbol.asyncDispose]())

  /** Applies every write, and loses its answer. */
  const begin = () => {
    gateway.sandbox.faults.set([{ on: { method: 'POST' }, do: { reset: 'after' } }])
    const { workflowRuns, workflows, repositories } = gateway.sandbox.store
    const run = (branch: string) =>
      workflowRuns.all().find(it => it.suite.headBranch === branch) as WorkflowRun
    const hello = repositories.find(repo.owner, repo.name)
    const release = hello && workflows.find(hello, 'release.yml')
    return { run, runs: () => workflowRuns.all(), release: release?.databaseId }
  }

  test.each(['number', 'file'])('a dispatch by %s is recovered, and sent once', async by => {
    const { runs, release } = begin()
    const before = runs().length
    const workflowId = by === 'file' ? 'release.yml' : release
    const { body } = await gateway.call('workflow.dispatch', { ...dispatch, workflowId })
    expect(runs()).toHaveLength(before + 1)
    const runId = Math.max(...runs().map(run => run.databaseId))
    expect(body.data).toEqual({ workflowId, ref: 'main', dispatched: true, runId })
    expect(body.meta.reason).toBe('RECOVERED')
  })

  test('a rerun is recovered by its new attempt', async () => {
    const run = begin().run('topic-4')
    const input = { ...repo, runId: run.databaseId }
    const { body } = await gateway.call('workflow.run.rerun.failed', input)
    expect(body.data).toEqual({ runId: run.databaseId, queued: true })
    expect(body.meta.reason).toBe('RECOVERED')
    expect(run.attempt).toBe(2)
  })

  test('a cancellation is recovered by the conclusion of the run', async () => {
    const run = begin().run('topic-8')
    const input = { ...repo, runId: run.databaseId }
    const { body } = await gateway.call('workflow.run.cancel', input)
    expect(body.data).toEqual({ runId: run.databaseId, status: 'COMPLETED' })
    expect(body.meta.reason).toBe('RECOVERED')
  })

  test.each([
    ['approve', 'APPROVED'],
    ['reject', 'REJECTED'],
  ])(
    'a lost %s of a deployment is recovered, since its environment waits no more',
    async (verb, state) => {
      begin()
      const { store } = gateway.sandbox
      const run = addWaitingRun(store, [addEnvironment(store, 'review/app 1')])
      const input = { ...repo, runId: run.databaseId, environments: ['review/app 1'] }
      const { body } = await gateway.call(`workflow.run.pending_deployments.${verb}`, input)
      expect(body.data).toEqual({ runId: run.databaseId, state, environments: input.environments })
      expect(body.meta.reason).toBe('RECOVERED')
      expect(store.deployments.reviewsOf(run)).toHaveLength(1)
    },
  )
})

test('an approval that never arrived is not taken for one of an earlier attempt', async () => {
  await using gateway = await startTestGateway({ settings: { retries: 0 }, env: { PATH: '' } })
  const { store, faults } = gateway.sandbox
  const environment = addEnvironment(store, 'zulu')
  const run = addWaitingRun(store, [environment])
  const input = { ...repo, runId: run.databaseId, environments: ['zulu'] }
  await gateway.call('workflow.run.pending_deployments.approve', input)
  store.deployments.wait(run, environment)
  faults.set([{ on: { method: 'POST' }, do: { reset: 'before' } }])
  const { body } = await gateway.call('workflow.run.pending_deployments.approve', input)
  expect(body.error?.write_outcome).toBe('not_applied')
  expect(store.deployments.pendingOf(run)).toHaveLength(1)
})
