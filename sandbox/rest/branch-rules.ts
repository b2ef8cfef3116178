import { may } from '../store/access.ts'
import { protectionOf, rulesetsFor } from '../store/ref-patterns.ts'
import { fullName } from '../store/repositories.ts'
import type { Protection } from '../store/ruleset-entities.ts'
import { type Answer, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound, RestError } from './errors.ts'
import { accountJson } from './json/account.ts'
import { repositoryUrl } from './json/api-urls.ts'
import { paged } from './paging.ts'

export const branchRuleRoutes: RouteTable = {
  'GET /repos/:owner/:repo/rules/branches/*': listRules,
  'GET /repos/:owner/:repo/branches/:branch/protection': viewProtection,
}

/** The rules of a branch, which need not exist. */
function listRules(call: RestCall): Answer {
  const repository = repositoryOf(call)
  const branch = call.params['*'] ?? ''
  const rules = repository.merging.branches.get(branch) ?? {}
  const source = (ruleset_id: number) => ({
    ruleset_source_type: 'Repository',
    ruleset_source: fullName(repository),
    ruleset_id,
  })
  const own = source(repository.databaseId)
  const found = [
    ...(rules.hasMergeQueue ? [{ type: 'merge_queue', ...own }] : []),
    ...(rules.requiresApproval ? [{ type: 'pull_request', ...own }] : []),
    ...rulesetsFor(repository, branch).flatMap(({ rules: all, databaseId }) =>
      all.map(rule => ({ ...rule, ...source(databaseId) })),
    ),
  ]
  return paged(call, found, rule => rule)
}

/** For all but administrators, the protection does not exist. */
function viewProtection(call: RestCall): Answer {
  const repository = repositoryOf(call)
  const { branch = '' } = call.params
  if (!may(call.principal, 'admin', repository)) throw notFound()
  if (!call.store.git.branch(repository, branch)) throw new RestError(404, 'Branch not found')
  const protection = protectionOf(repository, branch)
  if (!protection) throw new RestError(404, 'Branch not protected')
  const url = `${repositoryUrl(repository, call.origin)}/branches/${encodeURIComponent(branch)}/protection`
  return ok({ ...conditionsJson(protection, url, call.origin), ...flagsJson(protection, url) })
}

function conditionsJson({ reviews, checks, pushers }: Protection, url: string, origin: string) {
  return {
    url,
    ...(checks && {
      required_status_checks: {
        url: `${url}/required_status_checks`,
        strict: checks.isStrict,
        contexts: checks.required.map(({ context }) => context),
        contexts_url: `${url}/required_status_checks/contexts`,
        checks: checks.required.map(({ context, app }) => ({
          context,
          app_id: app?.databaseId ?? null,
        })),
      },
    }),
    ...(reviews && {
      required_pull_request_reviews: {
        url: `${url}/required_pull_request_reviews`,
        dismiss_stale_reviews: reviews.dismissesStale,
        require_code_owner_reviews: reviews.requiresCodeOwners,
        require_last_push_approval: reviews.requiresLastPushApproval,
        required_approving_review_count: reviews.count,
      },
    }),
    ...(pushers && {
      restrictions: {
        url: `${url}/restrictions`,
        users_url: `${url}/restrictions/users`,
        teams_url: `${url}/restrictions/teams`,
        apps_url: `${url}/restrictions/apps`,
        users: pushers.map(user => accountJson(user, origin)),
        teams: [],
        apps: [],
      },
    }),
  }
}

function flagsJson(it: Protection, url: string) {
  return {
    required_signatures: { url: `${url}/required_signatures`, enabled: it.requiresSignatures },
    enforce_admins: { url: `${url}/enforce_admins`, enabled: it.isAdminEnforced },
    required_linear_history: { enabled: it.requiresLinearHistory },
    allow_force_pushes: { enabled: it.allowsForcePushes },
    allow_deletions: { enabled: it.allowsDeletions },
    block_creations: { enabled: false },
    required_conversation_resolution: { enabled: it.requiresConversationResolution },
    lock_branch: { enabled: it.isLocked },
    allow_fork_syncing: { enabled: false },
  }
}
