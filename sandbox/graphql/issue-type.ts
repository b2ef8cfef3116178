import type { IssueType, Repository } from '../store/entities.ts'
import { issueTypesOf } from '../store/issue-types.ts'
import { connection, type PageArguments } from './connection.ts'
import type { Context, Fields, Info } from './fields.ts'
import { ordered } from './order.ts'

type NewerField = 'id' | 'name' | 'description' | 'color' | 'isEnabled'

export const issueTypeFields: Fields<IssueType, object, NewerField> = {
  id: type => type.nodeId,
  name: type => type.name,
  description: type => type.description,
  color: type => type.color.toUpperCase(),
  isEnabled: type => type.isEnabled,
}

const orders = {
  CREATED_AT: (type: IssueType) => type.createdAt,
  NAME: (type: IssueType) => type.name.toLowerCase(),
}

interface ListArguments extends PageArguments {
  orderBy?: { field: keyof typeof orders; direction: 'ASC' | 'DESC' } | null
}

/** `Repository.issueTypes`. */
export function listIssueTypes(
  repository: Repository,
  args: ListArguments,
  _context: Context,
  info: Info,
) {
  return connection(ordered(issueTypesOf(repository), orders, args.orderBy), args, info)
}
