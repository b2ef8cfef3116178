import type { JsonObject } from '../json.ts'
import { isGiven } from '../given.ts'
import { canSeeRelease, may, requireUnarchived } from '../store/access.ts'
import type { Release, Repository } from '../store/entities.ts'
import { latestRelease, newestFirst, type ReleaseChanges } from '../store/releases.ts'
import { optionalFlag, optionalText, requiredText } from './body.ts'
import {
  type Answer,
  created,
  numberIn,
  ok,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { notFound } from './errors.ts'
import { releaseJson } from './json/release.ts'
import { paged } from './paging.ts'

export const releaseRoutes: RouteTable = {
  'GET /repos/:owner/:repo/releases': call =>
    paged(call, newestFirst(visibleReleases(call)), release => releaseJson(release, call.origin)),
  'POST /repos/:owner/:repo/releases': createRelease,
  'GET /repos/:owner/:repo/releases/latest': call => one(call, latestRelease(repositoryOf(call))),
  // As on GitHub, a draft is not found by its tag: it has none yet.
  'GET /repos/:owner/:repo/releases/tags/:tag': call =>
    one(
      call,
      visibleReleases(call).find(it => it.tagName === call.params.tag && !it.isDraft),
    ),
  'GET /repos/:owner/:repo/releases/:id': call => one(call, releaseOf(call)),
  'PATCH /repos/:owner/:repo/releases/:id': updateRelease,
}

function createRelease(call: RestCall): Answer {
  const repository = writableRepository(call)
  const tagName = requiredText(call.body, 'tag_name')
  const changes = changesIn(call.body)
  const release = call.store.releases.create(repository, {
    ...changes,
    tagName,
    author: call.viewer,
  })
  const answer = releaseJson(release, call.origin)
  return created(answer, answer.url)
}

function updateRelease(call: RestCall): Answer {
  writableRepository(call)
  const release = releaseOf(call)
  if (!release) throw notFound()
  call.store.releases.update(release, changesIn(call.body))
  return ok(releaseJson(release, call.origin))
}

/** Without the right to push, GitHub does not say that it may not: there is nothing to write to. */
function writableRepository(call: RestCall): Repository {
  const repository = repositoryOf(call)
  requireUnarchived(repository)
  if (!may(call.principal, 'write', repository)) throw notFound()
  return repository
}

const texts = {
  tag_name: 'tagName',
  target_commitish: 'targetCommitish',
  name: 'name',
  body: 'body',
} as const satisfies Record<string, keyof ReleaseChanges>

const flags = {
  draft: 'isDraft',
  prerelease: 'isPrerelease',
} as const satisfies Record<string, keyof ReleaseChanges>

const notModelled = ['discussion_category_name', 'generate_release_notes', 'make_latest']

function changesIn(body: JsonObject): ReleaseChanges {
  const other = notModelled.find(name => isGiven(body[name]))
  if (other) throw new Error(`sandbox: ${other} of a release is not modelled`)
  const given = [
    ...Object.entries(texts).map(([field, name]) => [name, optionalText(body, field)]),
    ...Object.entries(flags).map(([field, name]) => [name, optionalFlag(body, field)]),
  ]
  return Object.fromEntries(given.filter(([, value]) => isGiven(value)))
}

function visibleReleases(call: RestCall): Release[] {
  return repositoryOf(call).releases.filter(release => canSeeRelease(call.principal, release))
}

function releaseOf(call: RestCall): Release | undefined {
  return visibleReleases(call).find(it => it.databaseId === numberIn(call.params.id))
}

function one(call: RestCall, release: Release | undefined): Answer {
  if (!release) throw notFound()
  return ok(releaseJson(release, call.origin))
}
