import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WorkflowRun } from '../../sandbox/index.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const dispatch = { ...repo, ref: 'main', inputs: { environment: 'staging' } }

describe('a write to workflow runs whose answer is lost', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway[Symbol.asyncDispose]())

  /** Applies every write, and loses its answer. */
  const begin = () => {
    gateway.sandbox.reset()
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
})
