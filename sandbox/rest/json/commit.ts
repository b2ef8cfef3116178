import type { Repository } from '../../store/entities.ts'
import { type FileChange, totalOf } from '../../store/git/diff.ts'
import type { Commit } from '../../store/git/nodes.ts'
import type { Signature } from '../../store/git/objects.ts'
import { toTimestamp } from '../../store/registry.ts'
import type { Store } from '../../store/store.ts'
import { pageUrl, paths } from '../../urls.ts'
import { accountOrNull } from './account.ts'
import { repositoryUrl } from './api-urls.ts'

/** A commit in a list. */
export function commitJson(commit: Commit, origin: string, store: Store) {
  const { repository, oid, author, committer, message, tree } = commit
  const api = repositoryUrl(repository, origin)
  const userOf = ({ email }: Signature) => accountOrNull(store.accounts.findByEmail(email), origin)
  return {
    sha: oid,
    node_id: commit.nodeId,
    commit: {
      author: signatureJson(author),
      committer: signatureJson(committer),
      message,
      tree: { sha: tree, url: `${api}/git/trees/${tree}` },
      url: `${api}/git/commits/${oid}`,
      comment_count: 0,
      verification: unsigned,
    },
    url: `${api}/commits/${oid}`,
    html_url: pageUrl(paths.commit(commit)),
    comments_url: `${api}/commits/${oid}/comments`,
    author: userOf(author),
    committer: userOf(committer),
    parents: commit.parents.map(parent => parentJson(repository, parent, origin)),
  }
}

/** A single commit, with the files that it changed. */
export function fullCommitJson(
  commit: Commit,
  changes: readonly FileChange[],
  page: readonly FileChange[],
  origin: string,
  store: Store,
) {
  const additions = totalOf(changes, 'additions')
  const deletions = totalOf(changes, 'deletions')
  return {
    ...commitJson(commit, origin, store),
    stats: { total: additions + deletions, additions, deletions },
    files: page.map(change => fileJson(commit.repository, commit.oid, change, origin)),
  }
}

/** One changed file of a commit, comparison or pull request. */
export function fileJson(repository: Repository, oid: string, change: FileChange, origin: string) {
  const { path, status, before, after, additions, deletions, patch, previousPath } = change
  const page = pageUrl(paths.repository(repository))
  const encoded = encodePath(path)
  return {
    sha: (after ?? before)?.oid ?? null,
    filename: path,
    status,
    additions,
    deletions,
    changes: additions + deletions,
    blob_url: `${page}/blob/${oid}/${encoded}`,
    raw_url: `${page}/raw/${oid}/${encoded}`,
    contents_url: `${repositoryUrl(repository, origin)}/contents/${encoded}?ref=${oid}`,
    ...(patch !== undefined && { patch }),
    ...(previousPath !== undefined && { previous_filename: previousPath }),
  }
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

export function signatureJson({ name, email, seconds }: Signature) {
  return { name, email, date: toTimestamp(seconds * 1000) }
}

/** The sandbox signs no commits. */
export const unsigned = {
  verified: false,
  reason: 'unsigned',
  signature: null,
  payload: null,
  verified_at: null,
}

export function parentJson(repository: Repository, oid: string, origin: string) {
  return {
    sha: oid,
    url: `${repositoryUrl(repository, origin)}/commits/${oid}`,
    html_url: `${pageUrl(paths.repository(repository))}/commit/${oid}`,
  }
}
