import { fullName } from '../store/repositories.ts'
import { type Answer, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'

export const branchRuleRoutes: RouteTable = {
  'GET /repos/:owner/:repo/rules/branches/*': listRules,
}

/** The rules of a branch. A branch that does not exist has none. */
function listRules(call: RestCall): Answer {
  const repository = repositoryOf(call)
  const rules = repository.merging.branches.get(call.params['*'] ?? '') ?? {}
  const source = {
    ruleset_source_type: 'Repository',
    ruleset_source: fullName(repository),
    ruleset_id: repository.databaseId,
  }
  return ok([
    ...(rules.hasMergeQueue ? [{ type: 'merge_queue', ...source }] : []),
    ...(rules.requiresApproval ? [{ type: 'pull_request', ...source }] : []),
  ])
}
