import type { Repository } from '../store/entities.ts'
import type { Commit } from '../store/git/nodes.ts'
import type { Signature } from '../store/git/objects.ts'
import type { Store } from '../store/store.ts'
import { pageUrl, paths } from '../urls.ts'
import { type Answer, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound, RestError } from './errors.ts'
import { repositoryUrl } from './json/api-urls.ts'
import { commitJson, fileJson, fullCommitJson } from './json/commit.ts'
import { linkHeader, paged, pageOf, sliceOf } from './paging.ts'

export const commitRoutes: RouteTable = {
  'GET /repos/:owner/:repo/commits': listCommits,
  'GET /repos/:owner/:repo/commits/:ref': getCommit,
  'GET /repos/:owner/:repo/compare/:basehead': compare,
}

const MAX_FILES = 300
const MAX_COMMITS = 250

function listCommits(call: RestCall): Answer {
  const repository = nonEmpty(call)
  const { sha, path, author, since, until } = call.query
  const head = call.store.git.commitOf(repository, sha || 'HEAD')
  if (!head) throw notFound()
  const listed = call.store.git
    .history(repository, head.oid, path)
    .filter(commit => !author || isBy(call.store, commit.author, author))
    .filter(({ committer }) => isWithin(committer, since, until))
  return paged(call, listed, commit => commitJson(commit, call.origin, call.store))
}

function isBy(store: Store, { email }: Signature, wanted: string): boolean {
  const login = store.accounts.findByEmail(email)?.login
  return [email, login].some(it => it?.toLowerCase() === wanted.toLowerCase())
}

function isWithin({ seconds }: Signature, since?: string, until?: string): boolean {
  if (since && seconds < Date.parse(since) / 1000) return false
  return !(until && seconds > Date.parse(until) / 1000)
}

function getCommit(call: RestCall): Answer {
  const repository = nonEmpty(call)
  const ref = call.params.ref ?? ''
  const commit = call.store.git.commitOf(repository, ref)
  if (!commit) throw new RestError(422, `No commit found for SHA: ${ref}`)
  const changes = call.store.git.of(repository).changes(commit.parents[0], commit.oid)
  const page = pageOf(call)
  const files = sliceOf(changes, call.query.per_page ? page : { ...page, perPage: MAX_FILES })
  return ok(fullCommitJson(commit, changes, files, call.origin, call.store))
}

/** Without paging, up to 250 commits. Files come only with the first page, at most 300. */
function compare(call: RestCall): Answer {
  const repository = nonEmpty(call)
  const [base, head] = sidesOf(call, repository)
  const { basehead = '' } = call.params
  const comparison = call.store.git.compare(repository, base.oid, head.oid)
  if (!comparison) {
    throw new RestError(404, `No common ancestor between ${basehead.replace('...', ' and ')}.`)
  }
  const isPaged = call.query.page !== undefined || call.query.per_page !== undefined
  const page = isPaged ? pageOf(call) : { page: 1, perPage: MAX_COMMITS }
  const place = basehead.split('...').map(encodeURIComponent).join('...')
  const html = `${pageUrl(paths.repository(repository))}/compare/${place}`
  const json = (commit: Commit) => commitJson(commit, call.origin, call.store)
  const body = {
    url: `${repositoryUrl(repository, call.origin)}/compare/${place}`,
    html_url: html,
    permalink_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    base_commit: json(comparison.base),
    merge_base_commit: json(comparison.mergeBase),
    status: comparison.status,
    ahead_by: comparison.aheadBy,
    behind_by: comparison.behindBy,
    total_commits: comparison.commits.length,
    commits: sliceOf(comparison.commits, page).map(json),
    ...(page.page === 1 && {
      files: comparison.files
        .slice(0, MAX_FILES)
        .map(change => fileJson(repository, head.oid, change, call.origin)),
    }),
  }
  const headers = isPaged ? linkHeader(call, comparison.commits.length) : {}
  return { status: 200, body, headers }
}

/** `main...topic`. Each side can name the owner of a fork: `octocat:topic`. */
function sidesOf(call: RestCall, repository: Repository): [Commit, Commit] {
  const sides = (call.params.basehead ?? '').split('...').map(side => {
    const [, owner, revision = ''] = /^(?:([^:]+):)?(.+)$/.exec(side) ?? []
    const source = owner ? inNetwork(call.store, repository, owner) : repository
    return source && call.store.git.commitOf(source, revision)
  })
  const [base, head] = sides
  if (sides.length !== 2 || !base || !head) throw notFound()
  return [base, head]
}

function inNetwork(store: Store, repository: Repository, owner: string): Repository | undefined {
  const root = (it: Repository): Repository => (it.parent ? root(it.parent) : it)
  return store.repositories
    .all()
    .find(
      it => root(it) === root(repository) && it.owner.login.toLowerCase() === owner.toLowerCase(),
    )
}

function nonEmpty(call: RestCall): Repository {
  const repository = repositoryOf(call)
  if (call.store.git.isEmpty(repository)) throw new RestError(409, 'Git Repository is empty.')
  return repository
}
