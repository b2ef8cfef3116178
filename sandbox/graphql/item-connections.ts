import type { IssueOrPull } from '../store/entities.ts'
import { connection, type PageArguments } from './connection.ts'
import type { Context, Info } from './fields.ts'

type ItemArguments = PageArguments & { states?: readonly string[] | null }

/** The fields of a label or milestone that list what carries it. */
export function itemConnections<Source>(itemsOf: (source: Source) => readonly IssueOrPull[]) {
  const ofKind =
    (wanted: IssueOrPull['kind']) =>
    (source: Source, args: ItemArguments, _context: Context, info: Info) =>
      connection(
        itemsOf(source).filter(item => item.kind === wanted && hasState(item, args.states)),
        args,
        info,
      )
  return { issues: ofKind('Issue'), pullRequests: ofKind('PullRequest') }
}

function hasState(item: IssueOrPull, states: ItemArguments['states']): boolean {
  const isMerged = item.kind === 'PullRequest' && item.mergedAt !== null
  return !states?.length || states.includes(isMerged ? 'MERGED' : item.state.toUpperCase())
}
