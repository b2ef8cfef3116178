import type * as G from '@octokit/graphql-schema'
import { isGiven } from '../given.ts'
import type { Repository } from '../store/entities.ts'
import { blame } from '../store/git/blame.ts'
import type { Comparison } from '../store/git/compare.ts'
import { isBinary, totalOf } from '../store/git/diff.ts'
import {
  type Blob,
  type Commit,
  type GitObjectNode,
  type Ref,
  shortName,
  type Tag,
  type Tree,
} from '../store/git/nodes.ts'
import type { Oid, Signature } from '../store/git/objects.ts'
import { entryAt, isFolder, type ListedEntry, listEntries } from '../store/git/trees.ts'
import { toTimestamp } from '../store/registry.ts'
import type { Store } from '../store/store.ts'
import { pageUrl, paths } from '../urls.ts'
import { rollupOf, statusOf } from './check-rollup.ts'
import { connection } from './connection.ts'
import { githubError } from './errors.ts'
import type { Context, Fields, Info } from './fields.ts'
import { findProtection } from './ruleset.ts'

const objectFields: Fields<GitObjectNode, G.GitObject> = {
  id: object => object.nodeId,
  oid: object => object.oid,
  abbreviatedOid: object => object.oid.slice(0, 7),
  repository: object => object.repository,
  commitResourcePath: object => paths.commit(object),
  commitUrl: object => pageUrl(paths.commit(object)),
}

export const commitFields: Fields<Commit, G.Commit> = {
  ...objectFields,
  url: commit => pageUrl(paths.commit(commit)),
  resourcePath: commit => paths.commit(commit),
  message: commit => commit.message,
  messageHeadline: commit => headAndBody(commit.message).head,
  messageBody: commit => headAndBody(commit.message).body,
  author: ({ author }, _args, { store }) => gitActor(author, store),
  committer: ({ committer }, _args, { store }) => gitActor(committer, store),
  // The sandbox has no co-authors.
  authors: ({ author }, args: G.CommitAuthorsArgs, { store }, info) =>
    connection([{ nodeId: author.email, ...gitActor(author, store) }], args, info),
  authoredDate: ({ author }) => toTimestamp(author.seconds * 1000),
  committedDate: ({ committer }) => toTimestamp(committer.seconds * 1000),
  authoredByCommitter: ({ author, committer }) => author.email === committer.email,
  committedViaWeb: () => false,
  signature: () => null,
  status: ({ repository, oid }, _args, { store }) => statusOf(store, repository, oid),
  statusCheckRollup: ({ repository, oid }, _args, { store }) => rollupOf(store, repository, oid),
  checkSuites: ({ repository, oid }, args: G.CommitCheckSuitesArgs, { store }, info) =>
    connection(store.checks.suites(repository, oid), args, info),
  tree: ({ repository, tree }, _args, { store }) => objectOf(store, repository, tree),
  parents: ({ repository, parents }, args: G.CommitParentsArgs, { store }, info) =>
    connection(
      parents.map(oid => store.git.commitAt(repository, oid)),
      args,
      info,
    ),
  additions: (commit, _args, { store }) => totalOf(changesOf(commit, store), 'additions'),
  deletions: (commit, _args, { store }) => totalOf(changesOf(commit, store), 'deletions'),
  changedFilesIfAvailable: (commit, _args, { store }) => changesOf(commit, store).length,
  file({ repository, tree }, { path }: G.CommitFileArgs, { store }) {
    const entry = entryAt(store.git.of(repository).objects, tree, path)
    if (!entry) return null
    const type = isFolder(entry) ? 'tree' : 'blob'
    return treeEntry({ ...entry, path, type }, repository, store)
  },
  history: listHistory,
  blame: blameOf,
}

function blameOf(commit: Commit, { path }: G.CommitBlameArgs, { store }: Context) {
  const { repository, oid } = commit
  const { objects } = store.git.of(repository)
  const ranges = blame(objects, oid, path).map(({ start, end, commit: by }) => ({
    startingLine: start,
    endingLine: end,
    age: 1,
    commit: store.git.commitAt(repository, by),
  }))
  return { ranges }
}

function listHistory(
  { repository, oid }: Commit,
  args: G.CommitHistoryArgs,
  { store }: Context,
  info: Info,
) {
  const [since, until] = [args.since, args.until].map(it => (it ? Date.parse(it) / 1000 : null))
  const listed = store.git
    .history(repository, oid, args.path ?? undefined)
    .filter(({ committer }) => !isGiven(since) || committer.seconds >= since)
    .filter(({ committer }) => !isGiven(until) || committer.seconds <= until)
    .filter(({ author }) => !args.author || isBy(store, author, args.author))
  return connection(listed, args, info)
}

/** The id takes precedence over the addresses. */
function isBy(store: Store, { email }: Signature, { id, emails }: G.CommitAuthor): boolean {
  if (isGiven(id)) return store.accounts.findByEmail(email)?.nodeId === id
  return (emails ?? []).some(wanted => wanted.toLowerCase() === email.toLowerCase())
}

export const treeFields: Fields<Tree, G.Tree> = {
  ...objectFields,
  entries: ({ repository, oid }, _args, { store }) =>
    listEntries(store.git.of(repository).objects, oid).map(it => treeEntry(it, repository, store)),
}

/** GitHub returns at most half a megabyte of text, and no binary content. */
const MAX_TEXT = 512 * 1024

export const blobFields: Fields<Blob, G.Blob> = {
  ...objectFields,
  byteSize: (blob, _args, { store }) => bytesOf(blob, store).length,
  isBinary: (blob, _args, { store }) => isBinary(bytesOf(blob, store)),
  isTruncated: (blob, _args, { store }) => bytesOf(blob, store).length > MAX_TEXT,
  text(blob, _args, { store }) {
    const bytes = bytesOf(blob, store)
    return isBinary(bytes) ? null : bytes.subarray(0, MAX_TEXT).toString()
  },
}

export const tagFields: Fields<Tag, G.Tag> = {
  ...objectFields,
  name: ({ tag }) => tag,
  message: ({ message }) => message,
  tagger: ({ tagger }, _args, { store }) => gitActor(tagger, store),
  target: ({ repository, object }, _args, { store }) => objectOf(store, repository, object),
}

export const refFields: Fields<Ref, G.Ref> = {
  id: ref => ref.nodeId,
  name: shortName,
  prefix: ref => ref.name.slice(0, -shortName(ref).length),
  repository: ref => ref.repository,
  target: ({ repository, oid }, _args, { store }) => objectOf(store, repository, oid),
  branchProtectionRule: findProtection,
  compare: compareRef,
}

function compareRef({ repository, oid }: Ref, { headRef }: G.RefCompareArgs, { store }: Context) {
  const head = store.git.commitOf(repository, headRef)
  const base = store.git.of(repository).peel(oid)
  return (head && base && store.git.compare(repository, base, head.oid)) ?? null
}

export const comparisonFields: Fields<Comparison, G.Comparison> = {
  aheadBy: comparison => comparison.aheadBy,
  behindBy: comparison => comparison.behindBy,
  status: comparison => comparison.status.toUpperCase(),
  baseTarget: comparison => comparison.base,
  headTarget: comparison => comparison.head,
  commits: ({ commits }, args: G.ComparisonCommitsArgs, _context, info) =>
    connection(commits, args, info),
}

/** `Repository.object`. Null if the revision does not exist or is malformed. */
export function findObject(
  repository: Repository,
  { expression, oid }: G.RepositoryObjectArgs,
  { store }: Context,
): GitObjectNode | null {
  const revision = oid ?? expression
  if (!isGiven(revision)) {
    throw githubError('UNPROCESSABLE', 'Either an oid or an expression is required.')
  }
  return store.git.object(repository, revision) ?? null
}

/** `Repository.ref`, by full or short name. */
export function findRef(
  repository: Repository,
  { qualifiedName }: G.RepositoryRefArgs,
  { store }: Context,
): Ref | null {
  for (const prefix of ['', 'refs/', 'refs/heads/', 'refs/tags/']) {
    const ref = store.git.ref(repository, prefix + qualifiedName)
    if (ref) return ref
  }
  return null
}

/** `Repository.refs`. */
export function listRefs(
  repository: Repository,
  args: G.RepositoryRefsArgs,
  { store }: Context,
  info: Info,
) {
  if (args.orderBy?.field === 'TAG_COMMIT_DATE') {
    throw new Error('sandbox: refs by the date of their commits are not modelled')
  }
  const query = args.query?.toLowerCase() ?? ''
  const found = store.git
    .refs(repository, args.refPrefix)
    .filter(ref => shortName(ref).toLowerCase().includes(query))
  const direction = args.orderBy?.direction ?? args.direction
  return connection(direction === 'DESC' ? found.toReversed() : found, args, info)
}

function gitActor({ name, email, seconds }: Signature, store: Store) {
  const user = store.accounts.findByEmail(email) ?? null
  return { name, email, date: toTimestamp(seconds * 1000), user }
}

/** Splits a message into its first line and the rest, without the blank lines between. */
function headAndBody(message: string): { head: string; body: string } {
  const [head = '', ...rest] = message.split('\n')
  return { head, body: rest.join('\n').replace(/^\n+/, '') }
}

function objectOf(store: Store, repository: Repository, oid: Oid): GitObjectNode | null {
  return store.git.object(repository, oid) ?? null
}

function changesOf({ repository, oid, parents }: Commit, store: Store) {
  return store.git.of(repository).changes(parents[0], oid)
}

function bytesOf({ repository, oid }: Blob, store: Store): Buffer {
  return store.git.of(repository).objects.blob(oid)
}

/** The mode is a number: git's octal digits, parsed. */
function treeEntry({ path, mode, oid, type }: ListedEntry, repository: Repository, store: Store) {
  const object = objectOf(store, repository, oid)
  return {
    name: path.split('/').at(-1) ?? '',
    path,
    mode: Number.parseInt(mode, 8),
    type,
    oid,
    object,
    repository,
    size: object?.kind === 'Blob' ? bytesOf(object, store).length : 0,
  }
}
