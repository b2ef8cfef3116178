import { pageUrl, paths } from '../urls.ts'
import type { PullRequest, Repository } from './entities.ts'
import { historyOf, missingFrom } from './git/history.ts'
import type { Commit } from './git/nodes.ts'
import { pullRequestsIn } from './items.ts'
import { invalid } from './refusal.ts'
import { latestRelease } from './releases.ts'
import type { Store } from './store.ts'

export interface NotesWanted {
  readonly tagName: string
  readonly targetCommitish?: string | undefined
  /** Start of the range that the notes cover. @default the tag of the latest release */
  readonly previousTag?: string | undefined
}

/** Generates release notes: the pull requests merged since the previous release. */
export function releaseNotes(
  store: Store,
  repository: Repository,
  { tagName, targetCommitish = repository.defaultBranch, previousTag }: NotesWanted,
): { name: string; body: string } {
  const { git } = store
  const tag = `refs/tags/${tagName}`
  const head = git.commitOf(repository, git.ref(repository, tag) ? tag : targetCommitish)
  if (!head) throw wrong('target_commitish')
  const previous = previousTag ?? latestRelease(repository)?.tagName
  const base = previous ? git.commitOf(repository, `refs/tags/${previous}`) : undefined
  if (previousTag && !base) throw wrong('previous_tag_name')
  const merged = mergedBetween(store, repository, base, head)
  const page = pageUrl(paths.repository(repository))
  const changes = base ? `compare/${previous}...${tagName}` : `commits/${tagName}`
  return { name: tagName, body: notes(merged, `${page}/${changes}`) }
}

function mergedBetween(
  { git }: Store,
  repository: Repository,
  base: Commit | undefined,
  head: Commit,
): PullRequest[] {
  const { objects } = git.of(repository)
  const fresh = new Set(
    base ? missingFrom(objects, base.oid, head.oid) : historyOf(objects, head.oid),
  )
  return pullRequestsIn(repository).filter(pull => fresh.has(pull.mergeCommitSha ?? ''))
}

function notes(pulls: readonly PullRequest[], changelog: string): string {
  const lines = pulls.map(
    pull => `* ${pull.title} by @${pull.author.login} in ${pageUrl(paths.item(pull))}`,
  )
  const list = lines.length > 0 ? [`## What's Changed`, ...lines, '', ''] : []
  return [...list, `**Full Changelog**: ${changelog}`].join('\n')
}

function wrong(field: string) {
  return invalid(`${field} is invalid`, { resource: 'Release', field, code: 'invalid' })
}
