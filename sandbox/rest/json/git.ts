import type { Repository } from '../../store/entities.ts'
import type { Commit, Ref } from '../../store/git/nodes.ts'
import type { TagData } from '../../store/git/objects.ts'
import { gitNodeId } from '../../store/node-id.ts'
import type { Store } from '../../store/store.ts'
import { pageUrl, paths } from '../../urls.ts'
import { repositoryUrl } from './api-urls.ts'
import { commitJson, encodePath, parentJson, signatureJson, unsigned } from './commit.ts'

export function refJson({ repository, name, oid, nodeId }: Ref, origin: string, store: Store) {
  const api = repositoryUrl(repository, origin)
  const type = store.git.of(repository).objects.get(oid)?.type ?? 'commit'
  return {
    ref: name,
    node_id: nodeId,
    url: `${api}/git/${encodePath(name)}`,
    object: { sha: oid, type, url: `${api}/git/${type}s/${oid}` },
  }
}

/** A commit in the git data endpoints and in the answer to a written file. */
export function gitCommitJson(commit: Commit, origin: string) {
  const { repository, oid, nodeId, tree, message, author, committer, parents } = commit
  const api = repositoryUrl(repository, origin)
  return {
    sha: oid,
    node_id: nodeId,
    url: `${api}/git/commits/${oid}`,
    html_url: pageUrl(paths.commit(commit)),
    author: signatureJson(author),
    committer: signatureJson(committer),
    tree: { sha: tree, url: `${api}/git/trees/${tree}` },
    message,
    parents: parents.map(parent => parentJson(repository, parent, origin)),
    verification: unsigned,
  }
}

export function annotatedTagJson(
  repository: Repository,
  sha: string,
  { object, tag, tagger, message }: TagData,
  origin: string,
) {
  const api = repositoryUrl(repository, origin)
  return {
    node_id: gitNodeId('Tag', repository.databaseId, sha),
    sha,
    url: `${api}/git/tags/${sha}`,
    object: { sha: object, type: 'commit', url: `${api}/git/commits/${object}` },
    tagger: signatureJson(tagger),
    tag,
    message,
    verification: unsigned,
  }
}

/** A branch in a list. */
export function shortBranchJson({ repository, oid }: Ref, name: string, origin: string) {
  return {
    name,
    commit: { sha: oid, url: `${repositoryUrl(repository, origin)}/commits/${oid}` },
    protected: false,
  }
}

export function branchJson(ref: Ref, name: string, origin: string, store: Store) {
  const api = repositoryUrl(ref.repository, origin)
  const self = `${api}/branches/${encodePath(name)}`
  return {
    name,
    commit: commitJson(store.git.commitAt(ref.repository, ref.oid), origin, store),
    _links: {
      self,
      html: `${pageUrl(paths.repository(ref.repository))}/tree/${encodePath(name)}`,
    },
    protected: false,
    protection: {
      enabled: false,
      required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] },
    },
    protection_url: `${self}/protection`,
  }
}

export function tagJson(ref: Ref, name: string, commit: string, origin: string) {
  const api = repositoryUrl(ref.repository, origin)
  return {
    name,
    zipball_url: `${api}/zipball/${encodePath(ref.name)}`,
    tarball_url: `${api}/tarball/${encodePath(ref.name)}`,
    commit: { sha: commit, url: `${api}/commits/${commit}` },
    node_id: ref.nodeId,
  }
}

export interface Content {
  readonly repository: Repository
  readonly path: string
  /** The caller's ref, or the default branch. */
  readonly ref: string
  readonly oid: string
  readonly type: 'file' | 'dir' | 'symlink'
  readonly size: number
}

/** A file or folder, without its content. */
export function contentJson({ repository, path, ref, oid, type, size }: Content, origin: string) {
  const api = repositoryUrl(repository, origin)
  const page = pageUrl(paths.repository(repository))
  const encoded = encodePath(path)
  const isFolder = type === 'dir'
  const self = `${api}/contents/${encoded}?ref=${encodeURIComponent(ref)}`
  const html = `${page}/${isFolder ? 'tree' : 'blob'}/${encodePath(ref)}/${encoded}`
  const git = `${api}/git/${isFolder ? 'trees' : 'blobs'}/${oid}`
  const raw = `https://raw.githubusercontent.com${paths.repository(repository)}`
  return {
    name: path.split('/').at(-1) ?? '',
    path,
    sha: oid,
    size,
    url: self,
    html_url: html,
    git_url: git,
    download_url: isFolder ? null : `${raw}/${encodePath(ref)}/${encoded}`,
    type,
    _links: { self, git, html },
  }
}
