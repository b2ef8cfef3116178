import type * as G from '@octokit/graphql-schema'
import { isGiven } from '../given.ts'
import type { Issue, IssueOrPull, LinkedBranch, Repository } from '../store/entities.ts'
import {
  type ItemFilter,
  isAssignedTo,
  isInMilestone,
  isLabelled,
  isOpenedBy,
  isUpdatedSince,
  mentions,
} from '../store/item-filters.ts'
import { issuesIn } from '../store/items.ts'
import { blockedBy, closingPulls } from '../store/relations.ts'
import type { Store } from '../store/store.ts'
import { connection, emptyConnection, type PageArguments } from './connection.ts'
import { conversationFields } from './conversation.ts'
import type { Context, Fields, Info } from './fields.ts'
import { ordered } from './order.ts'

/** The official types lack these arguments. */
type DuplicateArguments = { enableDuplicate?: boolean | null }

type NewerField = 'issueType' | 'parent' | 'subIssues' | 'blockedBy' | 'blocking'

export const issueFields: Fields<Issue, G.Issue, NewerField> = {
  ...conversationFields,
  state: issue => issue.state.toUpperCase(),
  stateReason: reasonOf,
  issueType: issue => issue.type,
  parent: issue => issue.parent,
  subIssues: (issue, args: PageArguments, _context, info) =>
    connection(issue.subIssues, args, info),
  blockedBy: (issue, args: PageArguments, _context, info) =>
    connection(issue.blockedBy, args, info),
  blocking: (issue, args: PageArguments, _context, info) =>
    connection(blockedBy(issue), args, info),
  trackedIssues: emptyConnection,
  trackedInIssues: emptyConnection,
  closedByPullRequestsReferences(
    issue,
    args: G.IssueClosedByPullRequestsReferencesArgs,
    _context,
    info,
  ) {
    const pulls = closingPulls(issue).filter(
      pull => args.includeClosedPrs === true || pull.state === 'open',
    )
    return connection(pulls, args, info)
  },
  linkedBranches: listLinkedBranches,
  isPinned: issue => issue.repository.pinned.includes(issue),
}

/** GitHub returns duplicates as not planned, unless the query asks for them. */
function reasonOf({ stateReason }: Issue, { enableDuplicate }: DuplicateArguments) {
  const shown = stateReason === 'duplicate' && !enableDuplicate ? 'not_planned' : stateReason
  return shown?.toUpperCase() ?? null
}

/** Linked branches that still exist. */
function listLinkedBranches(
  { linkedBranches }: Issue,
  args: G.IssueLinkedBranchesArgs,
  { store }: Context,
  info: Info,
) {
  const nodes = linkedBranches
    .map(linked => linkedBranchNode(store, linked))
    .filter(({ ref }) => ref !== null)
  return connection(nodes, args, info)
}

export function linkedBranchNode(store: Store, { nodeId, repository, ref }: LinkedBranch) {
  return { nodeId, id: nodeId, ref: store.git.ref(repository, ref) ?? null }
}

export const issueOrders: Record<G.IssueOrderField, (issue: IssueOrPull) => string | number> = {
  CREATED_AT: issue => issue.createdAt,
  UPDATED_AT: issue => issue.updatedAt,
  COMMENTS: issue => issue.comments.length,
}

/** `Repository.issues`. */
export function listIssues(
  repository: Repository,
  args: G.RepositoryIssuesArgs,
  _context: Context,
  info: Info,
) {
  const issues = (repository.hasIssues ? issuesIn(repository) : [])
    .filter(issue => matchesStates(issue, args.states) && matchesLabels(issue, args.labels))
    .filter(issue => !args.filterBy || matchesFilter(issue, args.filterBy))
  return connection(ordered(issues, issueOrders, args.orderBy), args, info)
}

/** As on GitHub, one of the labels is enough. */
export function matchesLabels(item: IssueOrPull, names: readonly string[] | null | undefined) {
  if (!names || names.length === 0) return true
  return names.some(name => isLabelled(item, name))
}

function matchesStates(issue: Issue, states: readonly G.IssueState[] | null | undefined): boolean {
  return !states || states.length === 0 || states.some(state => state.toLowerCase() === issue.state)
}

/** Tests for the fields of `IssueFilters`. A field without a test is refused. */
const filterTests: { [Field in keyof G.IssueFilters]?: ItemFilter } = {
  assignee: isAssignedTo,
  createdBy: isOpenedBy,
  mentioned: mentions,
  milestoneNumber: isInMilestone,
  // The sandbox has no subscriptions.
  viewerSubscribed: (_issue, wanted) => wanted === 'false',
  since: isUpdatedSince,
}

/** For these fields, null stands for issues that have none. */
const NULL_IS_NONE: readonly string[] = ['assignee', 'milestoneNumber']

function matchesFilter(issue: Issue, filter: G.IssueFilters): boolean {
  const { labels, states, ...others } = filter
  return (
    matchesStates(issue, states) &&
    matchesLabels(issue, labels) &&
    Object.entries(others).every(([field, wanted]) => {
      const isNone = wanted === null && NULL_IS_NONE.includes(field)
      if (!isGiven(wanted) && !isNone) return true
      const test = filterTests[field as keyof G.IssueFilters]
      if (!test) throw new Error(`sandbox: IssueFilters.${field} is not modelled`)
      return isNone ? !test(issue, '*') : test(issue, String(wanted))
    })
  )
}
