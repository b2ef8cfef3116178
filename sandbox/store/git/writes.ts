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
  /** Where the branch begins if there is none of that name. @default the tip of the default branch */
  from?: Oid
  /** What to write in place of the author's own name and address. */
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
  /** Short name of the branch that receives. */
  into: string
  head: Oid
  by: User
  message: string
  /** @default 'merge' */
  method?: MergeMethod
  /** @default now */
  date?: Timestamp
}
