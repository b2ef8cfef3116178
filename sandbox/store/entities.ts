import type { ActionsNode } from './actions/entities.ts'
import type { DiscussionNode } from './discussion-entities.ts'
import type { GitObjectNode, Ref } from './git/nodes.ts'
import type { License } from './licenses.ts'
import type { AutoMerge, MergeSettings, QueueEntry } from './merge-entities.ts'
import type { Kind } from './node-id.ts'
import type { DraftIssue, ProjectField, ProjectItem, ProjectV2 } from './project-entities.ts'
import type { Release } from './release-entities.ts'
import type { Review, ReviewComment, ReviewRequest, ReviewThread, Team } from './review-entities.ts'
import type { Protection, Ruleset } from './ruleset-entities.ts'
import type { DependabotAlert } from './security-entities.ts'

export type { Release }

/** GitHub's term is node: an object with a global id and a database id. */
export interface Entity<K extends Kind> {
  readonly kind: K
  readonly nodeId: string
  readonly databaseId: number
}

/** A UTC time with second precision, as both APIs print it: `2026-01-02T03:04:05Z`. */
export type Timestamp = string

/** The facts that users and organizations show on their pages. */
export interface Profile {
  login: string
  name: string | null
  email: string | null
  location: string | null
  websiteUrl: string | null
  twitterUsername: string | null
  createdAt: Timestamp
}

/**
 * A person; an app, whose login ends with `[bot]`; or a mannequin, which stands for a person of an
 * imported repository. The user `ghost` stands for accounts that are gone.
 */
export interface User extends Entity<'User' | 'Bot' | 'Mannequin'>, Profile {
  bio: string | null
  company: string | null
  isHireable: boolean
  /** Only the GraphQL API shows these two. */
  pronouns: string | null
  status: { emoji: string | null; message: string | null } | null
}

export interface Organization extends Entity<'Organization'>, Profile {
  description: string | null
  isVerified: boolean
  archivedAt: Timestamp | null
  members: Set<User>
  issueTypes: IssueType[]
  teams: Team[]
}

export type Account = User | Organization

export type Visibility = 'public' | 'private'
export type Permission = 'admin' | 'maintain' | 'write' | 'triage' | 'read'

export interface Repository extends Entity<'Repository'> {
  owner: Account
  name: string
  description: string | null
  homepageUrl: string | null
  visibility: Visibility
  isArchived: boolean
  hasIssues: boolean
  hasWiki: boolean
  hasDiscussions: boolean
  defaultBranch: string
  language: string | null
  license: License | null
  topics: string[]
  stargazerCount: number
  forkCount: number
  watcherCount: number
  collaborators: Map<User, Permission>
  createdAt: Timestamp
  updatedAt: Timestamp
  pushedAt: Timestamp
  /** The repository that this one was forked from. */
  parent: Repository | null
  merging: MergeSettings
  /** Issues and pull requests by number. They share one sequence. */
  items: Map<number, IssueOrPull>
  /** The highest number used so far. The number of a deleted item is not reused. */
  lastNumber: number
  labels: Label[]
  milestones: Milestone[]
  releases: Release[]
  /** The release that was explicitly marked as latest. If null, the dates decide. */
  namedLatest: Release | null
  /** Pinned issues appear above the list of issues. */
  pinned: Issue[]
}

export interface Label extends Entity<'Label'> {
  repository: Repository
  name: string
  color: string
  description: string | null
  isDefault: boolean
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface Milestone extends Entity<'Milestone'> {
  repository: Repository
  number: number
  title: string
  description: string | null
  state: 'open' | 'closed'
  creator: User
  dueOn: Timestamp | null
  createdAt: Timestamp
  updatedAt: Timestamp
  closedAt: Timestamp | null
}

/** The fields that issues and pull requests share. */
interface Conversation {
  repository: Repository
  number: number
  title: string
  body: string | null
  author: User
  state: 'open' | 'closed'
  labels: Label[]
  assignees: User[]
  milestone: Milestone | null
  comments: IssueComment[]
  reactions: Reaction[]
  isLocked: boolean
  lockReason: LockReason | null
  closedBy: User | null
  createdAt: Timestamp
  updatedAt: Timestamp
  closedAt: Timestamp | null
}

export type StateReason = 'completed' | 'not_planned' | 'duplicate' | 'reopened'

export type LockReason = 'off-topic' | 'too heated' | 'resolved' | 'spam'

export interface Issue extends Entity<'Issue'>, Conversation {
  stateReason: StateReason | null
  type: IssueType | null
  parent: Issue | null
  /** In the order of priority. */
  subIssues: Issue[]
  /** The issues that must be closed first, in the order in which they were added. */
  blockedBy: Issue[]
  linkedBranches: LinkedBranch[]
}

/** A branch for the work on an issue. */
export interface LinkedBranch {
  readonly nodeId: string
  readonly databaseId: number
  readonly repository: Repository
  /** Full name, such as `refs/heads/fix`. */
  readonly ref: string
}

export type IssueTypeColor =
  | 'blue'
  | 'gray'
  | 'green'
  | 'orange'
  | 'pink'
  | 'purple'
  | 'red'
  | 'yellow'

export interface IssueType extends Entity<'IssueType'> {
  name: string
  description: string | null
  color: IssueTypeColor
  isEnabled: boolean
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface Branch {
  repository: Repository
  name: string
  sha: string
}

export interface PullRequest extends Entity<'PullRequest'>, Conversation {
  /** A pull request is also an issue, and has a second database id for that. */
  issueDatabaseId: number
  isDraft: boolean
  base: Branch
  head: Branch
  mergedAt: Timestamp | null
  mergedBy: User | null
  mergeCommitSha: string | null
  autoMerge: AutoMerge | null
  queueEntry: QueueEntry | null
  /** The counts are computed from git. See `Git.compare` for the commits and files. */
  readonly commitCount: number
  readonly additions: number
  readonly deletions: number
  readonly changedFiles: number
  /** Oldest first, including pending reviews. */
  reviews: Review[]
  threads: ReviewThread[]
  reviewRequests: ReviewRequest[]
  readonly hasConflicts: boolean
  /** The base has commits that the head lacks. */
  readonly isBehind: boolean
}

export type IssueOrPull = Issue | PullRequest

export interface IssueComment extends Entity<'IssueComment'> {
  subject: IssueOrPull
  author: User
  body: string
  reactions: Reaction[]
  createdAt: Timestamp
  updatedAt: Timestamp
}

/** GraphQL's names. */
export type ReactionContent =
  | 'THUMBS_UP'
  | 'THUMBS_DOWN'
  | 'LAUGH'
  | 'HOORAY'
  | 'CONFUSED'
  | 'HEART'
  | 'ROCKET'
  | 'EYES'

export interface Reaction extends Entity<'Reaction'> {
  subject: IssueOrPull | IssueComment | ReviewComment
  user: User
  content: ReactionContent
  createdAt: Timestamp
}

export type Node =
  | DraftIssue
  | ProjectField
  | ProjectItem
  | ProjectV2
  | User
  | Organization
  | Team
  | Repository
  | Issue
  | PullRequest
  | IssueComment
  | Reaction
  | IssueType
  | Label
  | Milestone
  | Release
  | ActionsNode
  | DependabotAlert
  | Ruleset
  | Protection
  | DiscussionNode
  | GitObjectNode
  | Ref
  | Review
  | ReviewThread
  | ReviewComment
  | ReviewRequest
