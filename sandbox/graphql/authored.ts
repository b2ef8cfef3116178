import type * as G from '@octokit/graphql-schema'
import type { Timestamp, User } from '../store/entities.ts'
import type { Fields } from './fields.ts'

/** A text that a user wrote: an issue, a pull request, a review or a comment. */
interface Authored {
  readonly nodeId: string
  readonly databaseId: number
  readonly author: User
  readonly body: string | null
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** The fields of every text. The sandbox keeps no history of edits, and has no email. */
export const authoredFields = {
  id: text => text.nodeId,
  databaseId: text => text.databaseId,
  fullDatabaseId: text => String(text.databaseId),
  author: text => text.author,
  body: text => text.body ?? '',
  createdAt: text => text.createdAt,
  updatedAt: text => text.updatedAt,
  lastEditedAt: () => null,
  editor: () => null,
  includesCreatedEdit: () => false,
  createdViaEmail: () => false,
  viewerDidAuthor: (text, _args, { viewer }) => text.author === viewer,
} satisfies Fields<Authored, G.Issue & G.IssueComment>

/** Nothing is minimized in the sandbox. */
export const minimizableFields = {
  isMinimized: () => false,
  minimizedReason: () => null,
} satisfies Fields<unknown, G.Minimizable>
