import { visibleTo } from '../store/access.ts'
import type { Repository } from '../store/entities.ts'
import { optionalFlag } from './body.ts'
import { type Answer, noContent, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound } from './errors.ts'
import { repositoryUrl } from './json/api-urls.ts'
import { repositoryJson } from './json/repository.ts'
import { paged } from './paging.ts'

const starred = '/user/starred/:owner/:repo'
const subscription = '/repos/:owner/:repo/subscription'

export const followingRoutes: RouteTable = {
  'GET /user/starred': listStarred,
  [`GET ${starred}`]: call => {
    if (!call.store.following.isStarred(call.viewer, repositoryOf(call))) throw notFound()
    return noContent()
  },
  [`PUT ${starred}`]: call => {
    call.store.following.star(call.viewer, repositoryOf(call))
    return noContent()
  },
  [`DELETE ${starred}`]: call => {
    call.store.following.unstar(call.viewer, repositoryOf(call))
    return noContent()
  },
  [`GET ${subscription}`]: call => subscriptionAnswer(call, repositoryOf(call)),
  [`PUT ${subscription}`]: setSubscription,
  [`DELETE ${subscription}`]: call => {
    call.store.following.unwatch(call.viewer, repositoryOf(call))
    return noContent()
  },
}

function listStarred(call: RestCall): Answer {
  const { store, viewer, principal, origin } = call
  const visible = visibleTo(principal, store.following.starredBy(viewer))
  return paged(call, visible, it => repositoryJson(it, origin, principal))
}

function setSubscription(call: RestCall): Answer {
  const repository = repositoryOf(call)
  call.store.following.watch(call.viewer, repository, optionalFlag(call.body, 'ignored') ?? false)
  return subscriptionAnswer(call, repository)
}

function subscriptionAnswer({ store, viewer, origin }: RestCall, repository: Repository): Answer {
  const watch = store.following.watchOf(viewer, repository)
  if (!watch) throw notFound()
  const url = repositoryUrl(repository, origin)
  return ok({
    subscribed: !watch.ignored,
    ignored: watch.ignored,
    reason: null,
    created_at: watch.createdAt,
    url: `${url}/subscription`,
    repository_url: url,
  })
}
