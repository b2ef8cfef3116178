import { canSeeNode } from '../../store/access.ts'
import type { IssueOrPull, Label, Milestone, Node, User } from '../../store/entities.ts'
import { notFound } from '../errors.ts'
import type { Context } from '../fields.ts'

/** The object with this global id in a mutation's input. It must be of one of these kinds. */
export function target<Kind extends Node['kind']>(
  context: Context,
  id: string,
  ...kinds: Kind[]
): Extract<Node, { kind: Kind }> {
  const node = context.store.node(id)
  if (node && (kinds as string[]).includes(node.kind) && canSeeNode(context.principal, node)) {
    return node as Extract<Node, { kind: Kind }>
  }
  throw notFound(`a node with the global id of '${id}'`)
}

export function issueOrPull(context: Context, id: string): IssueOrPull {
  return target(context, id, 'Issue', 'PullRequest')
}

/** The labels, assignees and milestone that an input names. Absent ones stay absent. */
export function namedBy(
  context: Context,
  input: {
    labelIds?: readonly string[] | null
    assigneeIds?: readonly string[] | null
    milestoneId?: string | null
  },
): { labels?: Label[]; assignees?: User[]; milestone?: Milestone | null } {
  const { labelIds, assigneeIds, milestoneId } = input
  return {
    ...(labelIds && { labels: labelIds.map(id => target(context, id, 'Label')) }),
    ...(assigneeIds && { assignees: assigneeIds.map(id => target(context, id, 'User')) }),
    ...(milestoneId !== undefined && {
      milestone: milestoneId === null ? null : target(context, milestoneId, 'Milestone'),
    }),
  }
}
