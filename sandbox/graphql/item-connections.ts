import type { IssueOrPull } from '../store/entities.ts'
import { connection, type PageArguments } from './connection.ts'
import type { Context, Info } from './fields.ts'

/** The fields of a label or milestone that list what carries it. */
export function itemConnections<Source>(itemsOf: (source: Source) => readonly IssueOrPull[]) {
  const ofKind =
    (wanted: IssueOrPull['kind']) =>
    (source: Source, args: PageArguments, _context: Context, info: Info) =>
      connection(
        itemsOf(source).filter(({ kind }) => kind === wanted),
        args,
        info,
      )
  return { issues: ofKind('Issue'), pullRequests: ofKind('PullRequest') }
}
