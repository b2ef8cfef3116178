import { may } from '../store/access.ts'
import { fullName } from '../store/repositories.ts'
import type { Ruleset } from '../store/ruleset-entities.ts'
import { pageUrl, paths } from '../urls.ts'
import { isAmong } from './alerts.ts'
import { numberIn, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound } from './errors.ts'
import { repositoryUrl } from './json/api-urls.ts'
import { paged } from './paging.ts'

export const rulesetRoutes: RouteTable = {
  'GET /repos/:owner/:repo/rulesets': call => {
    const { rulesets } = repositoryOf(call).merging
    const found = rulesets.filter(({ target }) => isAmong(call.query.targets, target))
    return paged(call, found, it => rulesetJson(it, call.origin))
  },
  'GET /repos/:owner/:repo/rulesets/:ruleset': call => {
    const ruleset = rulesetOf(call)
    return ok({ ...rulesetJson(ruleset, call.origin), ...detailsJson(ruleset, call) })
  },
}

function rulesetOf(call: RestCall): Ruleset {
  const wanted = numberIn(call.params.ruleset)
  const found = repositoryOf(call).merging.rulesets.find(({ databaseId }) => databaseId === wanted)
  if (!found) throw notFound()
  return found
}

function rulesetJson(it: Ruleset, origin: string) {
  const { repository, databaseId } = it
  return {
    id: databaseId,
    name: it.name,
    target: it.target,
    source_type: 'Repository',
    source: fullName(repository),
    enforcement: it.enforcement,
    node_id: it.nodeId,
    created_at: it.createdAt,
    updated_at: it.updatedAt,
    _links: {
      self: { href: `${repositoryUrl(repository, origin)}/rulesets/${databaseId}` },
      html: { href: pageUrl(`${paths.repository(repository)}/rules/${databaseId}`) },
    },
  }
}

/** Only administrators see who may bypass the rules. Role 5 is theirs. */
function detailsJson(it: Ruleset, { principal }: RestCall) {
  const isAdmin = may(principal, 'admin', it.repository)
  const admins = { actor_id: 5, actor_type: 'RepositoryRole', bypass_mode: 'always' }
  return {
    conditions: { ref_name: { include: it.include, exclude: it.exclude } },
    rules: it.rules,
    current_user_can_bypass: isAdmin && it.adminsMayBypass ? 'always' : 'never',
    ...(isAdmin && { bypass_actors: it.adminsMayBypass ? [admins] : [] }),
  }
}
