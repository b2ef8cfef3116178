import type { Timestamp, User } from '../entities.ts'
import type { Changes } from './commits.ts'
import type { MergeMethod } from './merge-commits.ts'
import type { Oid, Signature } from './objects.ts'

export interface NewCommit {
  author: User
  message: string
  changes: Changes
  /** Short name. @default the default branch */
  branch?: string
  /** Start of the branch if it does not exist yet. @default the tip of the default branch */
  from?: Oid
  /** Replaces the author's own name and address. */
  signatures?: { author?: Signature; committer?: Signature }
  /** @default now */
  date?: Timestamp
}

export interface NewTag {
  name: string
  oid: Oid
  message?: string
  tagger?: User
  /** @default now */
  date?: Timestamp
}

export interface Merging {
  /** Short name of the branch to merge into. */
  into: string
  head: Oid
  by: User
  message: string
  /** @default 'merge' */
  method?: MergeMethod
  /** @default now */
  date?: Timestamp
}
