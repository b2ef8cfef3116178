import { canSeeRelease } from '../store/access.ts'
import type { Release } from '../store/entities.ts'
import { latestRelease, newestFirst } from '../store/releases.ts'
import { type Answer, numberIn, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound } from './errors.ts'
import { releaseJson } from './json/release.ts'
import { paged } from './paging.ts'

export const releaseRoutes: RouteTable = {
  'GET /repos/:owner/:repo/releases': call =>
    paged(call, newestFirst(visibleReleases(call)), release => releaseJson(release, call.origin)),
  'GET /repos/:owner/:repo/releases/latest': call => one(call, latestRelease(repositoryOf(call))),
  // As on GitHub, a draft is not found by its tag: it has none yet.
  'GET /repos/:owner/:repo/releases/tags/:tag': call =>
    one(
      call,
      visibleReleases(call).find(it => it.tagName === call.params.tag && !it.isDraft),
    ),
  'GET /repos/:owner/:repo/releases/:id': call =>
    one(
      call,
      visibleReleases(call).find(it => it.databaseId === numberIn(call.params.id)),
    ),
}

function visibleReleases(call: RestCall): Release[] {
  return repositoryOf(call).releases.filter(release => canSeeRelease(call.principal, release))
}

function one(call: RestCall, release: Release | undefined): Answer {
  if (!release) throw notFound()
  return ok(releaseJson(release, call.origin))
}
