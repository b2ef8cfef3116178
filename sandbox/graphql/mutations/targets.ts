import { isGiven } from '../../given.ts'
import { canSeeNode, may, requireEditor, requireTriage, requireWrite } from '../../store/access.ts'
import { requireAppWriteTo } from '../../store/app-writes.ts'
import type { IssueOrPull, Label, Milestone, Node, Repository, User } from '../../store/entities.ts'
import type { Principal } from '../../store/tokens.ts'
import { notFound } from '../errors.ts'
import type { Context } from '../fields.ts'

type NodeOf<Kind extends Node['kind'], One extends Node = Node> = One extends Node
  ? Kind & One['kind'] extends never
    ? never
    : One
  : never

/** The object that a mutation changes, by the global id in its input. It must be of one of these kinds. */
export function target<Kind extends Node['kind']>(
  context: Context,
  id: string,
  ...kinds: Kind[]
): NodeOf<Kind> {
  const node = named(context, id, ...kinds)
  requireAppWriteTo(context.principal, node)
  return node
}

/** An object that a mutation only reads: the caller needs no right to change it. */
export function named<Kind extends Node['kind']>(
  context: Context,
  id: string,
  ...kinds: Kind[]
): NodeOf<Kind> {
  const node = context.store.node(id)
  if (node && (kinds as string[]).includes(node.kind) && canSeeNode(context.principal, node)) {
    return node as NodeOf<Kind>
  }
  throw notFound(`a node with the global id of '${id}'`)
}

type ItemKind = IssueOrPull['kind']
type ItemOf<Kind extends ItemKind> = Extract<IssueOrPull, { kind: Kind }>
type RightCheck = (principal: Principal, item: IssueOrPull) => void

/** An issue or pull request, after a check of the caller's rights. */
function itemFor(check: RightCheck) {
  return <Kind extends ItemKind>(context: Context, id: string, ...kinds: Kind[]): ItemOf<Kind> => {
    const item = target<ItemKind>(context, id, ...kinds)
    check(context.principal, item)
    return item as ItemOf<Kind>
  }
}

/** Items that the caller may edit and close, may triage, or may push to. */
export const editable = itemFor(requireEditor)
export const triageable = itemFor((principal, item) => requireTriage(principal, item.repository))
export const writable = itemFor((principal, item) => requireWrite(principal, item.repository))

interface ItemInput {
  title?: string | null
  body?: string | null
  labelIds?: readonly string[] | null
  assigneeIds?: readonly string[] | null
  milestoneId?: string | null
}

export function updateItem(context: Context, item: IssueOrPull, input: ItemInput): void {
  context.store.issues.update(item, {
    ...(isGiven(input.title) && { title: input.title }),
    ...(isGiven(input.body) && { body: input.body }),
    ...namedBy(context, input, item.repository),
  })
}

export function setState(
  { store, viewer }: Context,
  item: IssueOrPull,
  state: 'OPEN' | 'CLOSED' | null | undefined,
): void {
  if (state === 'CLOSED') store.issues.close(item, viewer)
  if (state === 'OPEN') store.issues.reopen(item)
}

/**
 * The labels, assignees and milestone that an input names. Absent ones stay absent. Without triage rights GitHub
 * ignores them.
 */
export function namedBy(
  context: Context,
  input: ItemInput,
  repository: Repository,
): { labels?: Label[]; assignees?: User[]; milestone?: Milestone | null } {
  const { labelIds, assigneeIds, milestoneId } = input
  if (!may(context.principal, 'triage', repository)) return {}
  return {
    ...(labelIds && { labels: labelIds.map(id => target(context, id, 'Label')) }),
    ...(assigneeIds && { assignees: assigneeIds.map(id => target(context, id, 'User')) }),
    ...(milestoneId !== undefined && {
      milestone: milestoneId === null ? null : target(context, milestoneId, 'Milestone'),
    }),
  }
}
