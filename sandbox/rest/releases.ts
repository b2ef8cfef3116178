import { isGiven } from '../given.ts'
import type { JsonObject } from '../json.ts'
import { canSeeRelease, may, requireUnarchived } from '../store/access.ts'
import type { Release, Repository } from '../store/entities.ts'
import { newestFirst } from '../store/order.ts'
import { releaseNotes } from '../store/release-notes.ts'
import { type Latest, latestRelease, type ReleaseChanges } from '../store/releases.ts'
import { optionalFlag, optionalText, requiredText } from './body.ts'
import {
  type Answer,
  created,
  noContent,
  numberIn,
  ok,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { invalidRequest, notFound } from './errors.ts'
import { releaseJson } from './json/release.ts'
import { paged } from './paging.ts'

export const releaseRoutes: RouteTable = {
  'GET /repos/:owner/:repo/releases': call =>
    paged(call, newestFirst(visibleReleases(call)), release => releaseJson(release, call.origin)),
  'POST /repos/:owner/:repo/releases': createRelease,
  'GET /repos/:owner/:repo/releases/latest': call =>
    releaseAnswer(call, latestRelease(repositoryOf(call))),
  // As on GitHub, a draft has no tag yet, so it cannot be found by one.
  'GET /repos/:owner/:repo/releases/tags/:tag': call =>
    releaseAnswer(
      call,
      visibleReleases(call).find(it => it.tagName === call.params.tag && !it.isDraft),
    ),
  'GET /repos/:owner/:repo/releases/:id': call => releaseAnswer(call, releaseOf(call)),
  'PATCH /repos/:owner/:repo/releases/:id': updateRelease,
  'DELETE /repos/:owner/:repo/releases/:id': deleteRelease,
  'POST /repos/:owner/:repo/releases/generate-notes': generateNotes,
}

function createRelease(call: RestCall): Answer {
  const repository = writableRepository(call)
  const tagName = requiredText(call.body, 'tag_name')
  const changes = changesIn(call.body)
  const release = call.store.releases.create(repository, {
    ...changes,
    ...generated(call, repository, { ...changes, tagName }),
    tagName,
    author: call.viewer,
  })
  const answer = releaseJson(release, call.origin)
  return created(answer, answer.url)
}

function updateRelease(call: RestCall): Answer {
  writableRepository(call)
  const release = releaseOf(call)
  call.store.releases.update(release, changesIn(call.body))
  return ok(releaseJson(release, call.origin))
}

function deleteRelease(call: RestCall): Answer {
  writableRepository(call)
  call.store.releases.delete(releaseOf(call))
  return noContent()
}

function generateNotes(call: RestCall): Answer {
  const repository = writableRepository(call)
  const [target, previous] = ['target_commitish', 'previous_tag_name'].map(
    name => optionalText(call.body, name) ?? undefined,
  )
  const tagName = requiredText(call.body, 'tag_name')
  const wanted = { tagName, targetCommitish: target, previousTag: previous }
  return ok(releaseNotes(call.store, repository, wanted))
}

/** Generated name and body of a new release. A given body goes before the generated one. */
function generated(
  { store, body }: RestCall,
  repository: Repository,
  given: ReleaseChanges & { tagName: string },
): ReleaseChanges {
  if (optionalFlag(body, 'generate_release_notes') !== true) return {}
  const notes = releaseNotes(store, repository, given)
  return {
    name: given.name || notes.name,
    body: given.body ? `${given.body}\n\n${notes.body}` : notes.body,
  }
}

/** The repository in the path. Without the right to push, GitHub answers 404, not 403. */
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

const LATEST: readonly string[] = ['true', 'false', 'legacy'] satisfies Latest[]

function changesIn(body: JsonObject): ReleaseChanges {
  if (isGiven(body.discussion_category_name)) {
    throw new Error('sandbox: the discussion of a release is not modelled')
  }
  const latest = optionalText(body, 'make_latest')
  if (isGiven(latest) && !LATEST.includes(latest)) {
    throw invalidRequest(`${latest} is not a member of ["true", "false", "legacy"].`)
  }
  const given = [
    ...Object.entries(texts).map(([field, name]) => [name, optionalText(body, field)]),
    ['latest', latest],
    ...Object.entries(flags).map(([field, name]) => [name, optionalFlag(body, field)]),
  ]
  return Object.fromEntries(given.filter(([, value]) => isGiven(value)))
}

export function visibleReleases(call: RestCall): Release[] {
  return repositoryOf(call).releases.filter(release => canSeeRelease(call.principal, release))
}

export function releaseOf(call: RestCall): Release {
  const id = numberIn(call.params.id)
  const release = visibleReleases(call).find(({ databaseId }) => databaseId === id)
  if (!release) throw notFound()
  return release
}

function releaseAnswer(call: RestCall, release: Release | undefined): Answer {
  if (!release) throw notFound()
  return ok(releaseJson(release, call.origin))
}
