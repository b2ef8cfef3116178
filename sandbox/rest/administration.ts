import { createHash } from 'node:crypto'
import { requireAdmin, requirePermission, requireWrite } from '../store/access.ts'
import type { Cache, Webhook } from '../store/administration.ts'
import type { Repository } from '../store/entities.ts'
import {
  type Answer,
  noContent,
  numberIn,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { notFound } from './errors.ts'
import { repositoryUrl } from './json/api-urls.ts'
import { paged, pagedIn } from './paging.ts'

const caches = '/repos/:owner/:repo/actions/caches'
const hooks = '/repos/:owner/:repo/hooks'

export const administrationRoutes: RouteTable = {
  [`GET ${caches}`]: listCaches,
  [`DELETE ${caches}/:cache`]: deleteCache,
  [`GET ${hooks}`]: call =>
    paged(call, call.store.administration.webhooksOf(administered(call)), it =>
      webhookJson(it, call.origin),
    ),
  [`POST ${hooks}/:hook/pings`]: ping,
}

function listCaches(call: RestCall): Answer {
  const { ref, key = '' } = call.query
  const found = call.store.administration
    .cachesOf(repositoryOf(call))
    .filter(cache => cache.key.startsWith(key) && cache.ref === (ref ?? cache.ref))
  return pagedIn(call, 'actions_caches', found, cacheJson)
}

function cacheJson({ databaseId, ref, key, size, createdAt, lastAccessedAt }: Cache) {
  return {
    id: databaseId,
    ref,
    key,
    version: createHash('sha256').update(key).digest('hex'),
    last_accessed_at: lastAccessedAt,
    created_at: createdAt,
    size_in_bytes: size,
  }
}

function deleteCache(call: RestCall): Answer {
  const repository = repositoryOf(call)
  requireWrite(call.principal, repository)
  const { administration } = call.store
  const cache = byNumber(administration.cachesOf(repository), call.params.cache)
  administration.deleteCache(cache)
  return noContent()
}

/** Callers without the right to administer a repository do not see its webhooks. */
function administered(call: RestCall): Repository {
  const repository = repositoryOf(call)
  requirePermission(call.principal, 'admin', repository)
  return repository
}

function webhookJson(hook: Webhook, origin: string) {
  const url = `${repositoryUrl(hook.repository, origin)}/hooks/${hook.databaseId}`
  const isTried = hook.pings > 0
  return {
    type: 'Repository',
    id: hook.databaseId,
    name: 'web',
    active: true,
    events: hook.events,
    config: { url: hook.url, content_type: 'json', insecure_ssl: '0', secret: '********' },
    updated_at: hook.createdAt,
    created_at: hook.createdAt,
    url,
    test_url: `${url}/test`,
    ping_url: `${url}/pings`,
    deliveries_url: `${url}/deliveries`,
    last_response: {
      code: isTried ? 200 : null,
      status: isTried ? 'active' : 'unused',
      message: isTried ? 'OK' : null,
    },
  }
}

function ping(call: RestCall): Answer {
  const repository = administered(call)
  requireAdmin(call.principal, repository)
  const { administration } = call.store
  administration.ping(byNumber(administration.webhooksOf(repository), call.params.hook))
  return noContent()
}

function byNumber<Entry extends { databaseId: number }>(
  entries: readonly Entry[],
  number: string | undefined,
): Entry {
  const entry = entries.find(it => it.databaseId === numberIn(number))
  if (!entry) throw notFound()
  return entry
}
