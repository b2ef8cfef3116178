import { isJsonObject } from '../json.ts'
import { requireWrite } from '../store/access.ts'
import type { DispatchInputs, Workflow, WorkflowState } from '../store/actions/entities.ts'
import type { Repository } from '../store/entities.ts'
import { pageUrl, paths } from '../urls.ts'
import { requiredText } from './body.ts'
import { type Answer, noContent, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { invalidRequest, notFound, RestError } from './errors.ts'
import { runUrl } from './json/api-urls.ts'
import { workflowJson } from './json/workflow.ts'
import { pagedIn } from './paging.ts'

const MAX_INPUTS = 25

export const workflowRoutes: RouteTable = {
  'GET /repos/:owner/:repo/actions/workflows': call =>
    pagedIn(call, 'workflows', call.store.workflows.of(repositoryOf(call)), workflow =>
      workflowJson(workflow, call.origin),
    ),
  'GET /repos/:owner/:repo/actions/workflows/:workflow': call =>
    ok(workflowJson(workflowOf(call), call.origin)),
  'POST /repos/:owner/:repo/actions/workflows/:workflow/dispatches': dispatch,
  'PUT /repos/:owner/:repo/actions/workflows/:workflow/enable': call => setState(call, 'active'),
  'PUT /repos/:owner/:repo/actions/workflows/:workflow/disable': call =>
    setState(call, 'disabled_manually'),
}

/** The workflow in the path, by id or file name. */
export function workflowOf(call: RestCall): Workflow {
  const workflow = call.store.workflows.find(repositoryOf(call), call.params.workflow ?? '')
  if (!workflow) throw notFound()
  return workflow
}

function setState(call: RestCall, state: WorkflowState): Answer {
  const workflow = workflowOf(call)
  requireWrite(call.principal, workflow.repository)
  call.store.workflows.setState(workflow, state)
  return noContent()
}

function dispatch(call: RestCall): Answer {
  const workflow = workflowOf(call)
  const { repository } = workflow
  requireWrite(call.principal, repository)
  const ref = refOf(call, repository)
  if (!workflow.dispatch) {
    throw new RestError(422, "Workflow does not have 'workflow_dispatch' trigger")
  }
  if (workflow.state !== 'active') {
    throw new RestError(422, "Cannot trigger a 'workflow_dispatch' on a disabled workflow")
  }
  checkInputs(workflow.dispatch, call.body.inputs)
  const run = call.store.workflowRuns.dispatch(workflow, ref, call.viewer)
  if (call.body.return_run_details !== true) return noContent()
  return ok({
    workflow_run_id: run.databaseId,
    run_url: runUrl(run, call.origin),
    html_url: pageUrl(paths.run(run)),
  })
}

/** The branch or tag in the body. A sha is refused. */
function refOf(call: RestCall, repository: Repository): { branch: string; sha: string } {
  const wanted = requiredText(call.body, 'ref')
  const name = wanted.replace(/^refs\/(heads|tags)\//, '')
  const { git } = call.store
  const ref = git.branch(repository, name) ?? git.tag(repository, name)
  if (!ref) throw new RestError(422, `No ref found for: ${wanted}`)
  return { branch: name, sha: git.of(repository).peel(ref.oid) ?? ref.oid }
}

function checkInputs(declared: DispatchInputs, given: unknown = {}): void {
  if (!isJsonObject(given)) {
    throw invalidRequest(`For 'properties/inputs', ${JSON.stringify(given)} is not an object.`)
  }
  const names = Object.keys(given)
  if (names.length > MAX_INPUTS) {
    throw invalidRequest(
      `No more than ${MAX_INPUTS} properties are allowed; ${names.length} were supplied.`,
    )
  }
  const unknown = names.filter(name => !Object.hasOwn(declared, name))
  if (unknown.length > 0) {
    throw new RestError(422, `Unexpected inputs provided: ${JSON.stringify(unknown)}`)
  }
  for (const [name, input] of Object.entries(declared)) checkInput(name, input, given[name])
}

function checkInput(name: string, { required, options }: DispatchInputs[string], value: unknown) {
  if (value === undefined && required) {
    throw new RestError(422, `Required input '${name}' not provided`)
  }
  if (value !== undefined && options && !(options as unknown[]).includes(value)) {
    const [given, choices] = [JSON.stringify(value), JSON.stringify(options)]
    throw new RestError(
      422,
      `Provided value ${given} for input '${name}' not in the list of allowed values ${choices}`,
    )
  }
}
