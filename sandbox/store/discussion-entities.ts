import type { Entity, Repository, Timestamp, User } from './entities.ts'

export interface DiscussionCategory extends Entity<'DiscussionCategory'> {
  repository: Repository
  name: string
  slug: string
  description: string | null
  emoji: string
  /** A discussion of this category can have an answer. */
  isAnswerable: boolean
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface Discussion extends Entity<'Discussion'> {
  repository: Repository
  category: DiscussionCategory
  number: number
  title: string
  body: string
  author: User
  comments: DiscussionComment[]
  answer: DiscussionComment | null
  answeredBy: User | null
  answeredAt: Timestamp | null
  closedAt: Timestamp | null
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface DiscussionComment extends Entity<'DiscussionComment'> {
  repository: Repository
  discussion: Discussion
  /** Replies have no replies of their own. */
  replyTo: DiscussionComment | null
  replies: DiscussionComment[]
  author: User
  body: string
  createdAt: Timestamp
  updatedAt: Timestamp
}

export type DiscussionNode = DiscussionCategory | Discussion | DiscussionComment
