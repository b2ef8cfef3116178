import type * as G from '@octokit/graphql-schema'
import type { Workflow, WorkflowRun } from '../store/actions/entities.ts'
import { pageUrl, paths } from '../urls.ts'
import { connection, emptyConnection } from './connection.ts'
import type { Fields } from './fields.ts'
import { ordered } from './order.ts'

export const workflowFields: Fields<Workflow, G.Workflow> = {
  id: workflow => workflow.nodeId,
  databaseId: workflow => workflow.databaseId,
  name: workflow => workflow.name,
  state: workflow => workflow.state.toUpperCase(),
  url: workflow => pageUrl(paths.workflow(workflow)),
  resourcePath: paths.workflow,
  createdAt: workflow => workflow.createdAt,
  updatedAt: workflow => workflow.updatedAt,
  runs(workflow, args: G.WorkflowRunsArgs, { store }, info) {
    const runs = store.workflowRuns.of(workflow.repository).filter(it => it.workflow === workflow)
    return connection(ordered(runs, { CREATED_AT: run => run.createdAt }, args.orderBy), args, info)
  },
}

export const workflowRunFields: Fields<WorkflowRun, G.WorkflowRun> = {
  id: run => run.nodeId,
  databaseId: run => run.databaseId,
  runNumber: run => run.number,
  event: run => run.event,
  workflow: run => run.workflow,
  checkSuite: run => run.suite,
  url: run => pageUrl(paths.run(run)),
  resourcePath: paths.run,
  createdAt: run => run.createdAt,
  updatedAt: run => run.updatedAt,
  deploymentReviews: emptyConnection,
  pendingDeploymentRequests: emptyConnection,
}
