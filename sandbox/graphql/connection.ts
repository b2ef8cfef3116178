import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'
import { isGiven } from '../given.ts'
import { githubError } from './errors.ts'

const MAX_PAGE = 100

export interface PageArguments {
  first?: number | null
  last?: number | null
  after?: string | null
  before?: string | null
}

interface Identified {
  nodeId: string
}

/** One page of a list, in the shape of a GraphQL connection. */
export function connection<Item extends Identified>(
  items: readonly Item[],
  args: PageArguments,
  info: GraphQLResolveInfo,
) {
  checkBounds(args, info)
  const start = args.after ? positionOf(items, args.after) + 1 : 0
  const end = args.before ? positionOf(items, args.before) : items.length
  const from = !isGiven(args.last) ? start : Math.max(start, end - args.last)
  const to = !isGiven(args.first) ? end : Math.min(end, start + args.first)
  const nodes = items.slice(from, to)
  return {
    nodes,
    edges: nodes.map(edge),
    totalCount: items.length,
    pageInfo: {
      hasNextPage: to < items.length,
      hasPreviousPage: from > 0,
      startCursor: nodes[0] ? cursorOf(nodes[0]) : null,
      endCursor: nodes.at(-1) ? cursorOf(nodes.at(-1) as Item) : null,
    },
  }
}

export function edge<Item extends Identified>(node: Item) {
  return { cursor: cursorOf(node), node }
}

/** A list that is always empty in the sandbox. GitHub gives the same answer for an empty list. */
export function emptyConnection(
  _source: unknown,
  args: PageArguments,
  _context: unknown,
  info: GraphQLResolveInfo,
) {
  return connection([], args, info)
}

/** GitHub refuses a list without `first` or `last`, or with too large ones. `totalCount` needs neither. */
function checkBounds({ first, last }: PageArguments, info: GraphQLResolveInfo): void {
  const field = info.fieldName
  if (!isGiven(first) && !isGiven(last) && asksForItems(info)) {
    throw githubError(
      'MISSING_PAGINATION_BOUNDARIES',
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${field}\` connection.`,
    )
  }
  for (const [name, value] of Object.entries({ first, last })) {
    if (!isGiven(value)) continue
    if (value < 0) {
      throw githubError(
        'EXCESSIVE_PAGINATION',
        `\`${name}\` on the \`${field}\` connection cannot be less than zero.`,
      )
    }
    if (value > MAX_PAGE) {
      throw githubError(
        'EXCESSIVE_PAGINATION',
        `Requesting ${value} records on the \`${field}\` connection exceeds the \`${name}\` limit of ${MAX_PAGE} records.`,
      )
    }
  }
}

function asksForItems({ fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  const isInside = (set: SelectionSetNode | undefined): boolean =>
    (set?.selections ?? []).some(selection => {
      if (selection.kind === Kind.FIELD) return ['nodes', 'edges'].includes(selection.name.value)
      if (selection.kind === Kind.INLINE_FRAGMENT) return isInside(selection.selectionSet)
      return isInside(fragments[selection.name.value]?.selectionSet)
    })
  return fieldNodes.some(node => isInside(node.selectionSet))
}

/** A cursor names the item, not its position, so that items added between two pages shift nothing. */
function cursorOf(item: Identified): string {
  return Buffer.from(`cursor:v2:${item.nodeId}`).toString('base64')
}

function positionOf(items: readonly Identified[], cursor: string): number {
  const position = items.findIndex(item => cursorOf(item) === cursor)
  if (position === -1) {
    throw githubError(
      'INVALID_CURSOR_ARGUMENTS',
      `\`${cursor}\` does not appear to be a valid cursor.`,
    )
  }
  return position
}
