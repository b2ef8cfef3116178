import type { PullRequest, Timestamp, User } from './entities.ts'
import type { FileChange } from './git/diff.ts'
import type { Git, Push } from './git/git.ts'
import type { Oid } from './git/objects.ts'
import { pullRequestsIn } from './items.ts'
import { invalid, requireBody } from './refusal.ts'
import type { Registry } from './registry.ts'
import type { DiffSide, Review, ReviewComment, ReviewThread } from './review-entities.ts'
import { hunkAt, isLineChanged } from './review-hunk.ts'

export interface NewThread {
  path: string
  /** Null for a comment on a whole file. */
  line: number | null
  body: string
  side?: DiffSide
  startLine?: number | null
  startSide?: DiffSide | null
}

export class Threads {
  readonly #registry: Registry
  readonly #git: Git

  constructor(registry: Registry, git: Git) {
    this.#registry = registry
    this.#git = git
    git.onPush(push => this.#follow(push))
  }

  /** Refuses a thread whose place is not in the diff. */
  check(pullRequest: PullRequest, thread: NewThread): void {
    const { body, line, path, startLine } = thread
    requireBody('PullRequestReviewComment', body)
    const changes = this.#changesOf(pullRequest)
    if (!changes.some(change => change.path === path)) throw refused('Path could not be resolved')
    if (line !== null && this.#hunkOf(pullRequest, thread) === null) {
      throw refused('Line could not be resolved')
    }
    if (line !== null && startLine && startLine >= line) {
      throw refused('Start line must precede the end line.')
    }
  }

  /** The line of the file's diff, counted from the first hunk; 1 for a comment on the whole file. */
  positionOf({ pullRequest, path, diffHunk }: ReviewThread): number {
    const patch = this.#changesOf(pullRequest).find(change => change.path === path)?.patch ?? ''
    const before = patch.slice(0, Math.max(0, patch.indexOf(diffHunk)))
    return Math.max(1, before.split('\n').length + diffHunk.split('\n').length - 2)
  }

  /** Starts a thread with its first comment. */
  add(review: Review, fields: NewThread, createdAt = this.#registry.timestamp()): ReviewThread {
    const { repository, pullRequest } = review
    const side = fields.side ?? 'RIGHT'
    const thread: ReviewThread = {
      kind: 'PullRequestReviewThread',
      ...this.#registry.identify('PullRequestReviewThread', repository),
      repository,
      pullRequest,
      path: fields.path,
      originalLine: fields.line,
      originalStartLine: fields.startLine ?? null,
      side,
      startSide: fields.startLine ? (fields.startSide ?? side) : null,
      isOutdated: false,
      resolvedBy: null,
      diffHunk: this.#hunkOf(pullRequest, fields) ?? '',
      comments: [],
    }
    pullRequest.threads.push(thread)
    this.comment(thread, review, fields.body, createdAt)
    return this.#registry.register(thread)
  }

  /** Adds a comment that belongs to a review. */
  comment(thread: ReviewThread, review: Review, body: string, at: Timestamp): ReviewComment {
    const { repository, pullRequest } = thread
    const comment: ReviewComment = {
      kind: 'PullRequestReviewComment',
      ...this.#registry.identify('PullRequestReviewComment', repository),
      repository,
      thread,
      review,
      author: review.author,
      body,
      reactions: [],
      replyTo: thread.comments[0] ?? null,
      commitSha: pullRequest.head.sha,
      createdAt: at,
      updatedAt: at,
    }
    thread.comments.push(comment)
    if (at > pullRequest.updatedAt) pullRequest.updatedAt = at
    return this.#registry.register(comment)
  }

  edit(comment: ReviewComment, body: string): void {
    requireBody('PullRequestReviewComment', body)
    comment.body = body
    comment.updatedAt = this.#registry.timestamp()
    this.#registry.recordWrite()
  }

  /** Deletes a comment. A thread ends with its last comment. */
  delete(comment: ReviewComment): void {
    const { thread } = comment
    thread.comments = thread.comments.filter(it => it !== comment)
    this.#registry.unregister(comment)
    if (thread.comments.length > 0) return
    const { pullRequest } = thread
    pullRequest.threads = pullRequest.threads.filter(it => it !== thread)
    this.#registry.unregister(thread)
  }

  /** Sets or clears who resolved a thread. Resolving a resolved thread keeps the first resolver. */
  resolve(thread: ReviewThread, actor: User | null): void {
    if ((actor === null) !== (thread.resolvedBy === null)) thread.resolvedBy = actor
    this.#registry.recordWrite()
  }

  /** Marks threads as outdated when a push to the head changes their lines. */
  #follow({ repository, ref, oid }: Push): void {
    const threads = pullRequestsIn(repository)
      .filter(({ head }) => head.repository === repository && `refs/heads/${head.name}` === ref)
      .flatMap(pull => pull.threads)
    for (const thread of threads) {
      if (oid !== null && this.#isOutdatedBy(thread, oid)) thread.isOutdated = true
    }
  }

  #isOutdatedBy({ repository, path, originalLine, side, comments }: ReviewThread, oid: Oid) {
    const [first] = comments
    if (!first || originalLine === null || side === 'LEFT') return false
    const changes = this.#git.of(repository).changes(first.commitSha, oid)
    return isLineChanged(changes, path, originalLine)
  }

  #changesOf({ repository, base, head }: PullRequest): readonly FileChange[] {
    return this.#git.of(repository).changesSinceFork(base.sha, head.sha)
  }

  #hunkOf(pullRequest: PullRequest, { path, line, side = 'RIGHT' }: NewThread): string | null {
    return line === null ? '' : hunkAt(this.#changesOf(pullRequest), { path, line, side })
  }
}

/** The comments that a user can see. Only its author sees a pending comment. */
export function visibleComments({ comments }: ReviewThread, viewer: User): ReviewComment[] {
  return comments.filter(({ review }) => review.state !== 'PENDING' || review.author === viewer)
}

/** The number of comments on a pull request's diff that everyone can see. */
export function reviewCommentCount({ threads }: PullRequest): number {
  const comments = threads.flatMap(thread => thread.comments)
  return comments.filter(({ review }) => review.state !== 'PENDING').length
}

/** A refusal that concerns the review as a whole. */
export function refused(message: string) {
  return invalid(message, {
    resource: 'PullRequestReview',
    field: 'base',
    code: 'custom',
    message,
  })
}
