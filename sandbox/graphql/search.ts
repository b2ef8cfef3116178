import type * as G from '@octokit/graphql-schema'
import { searchAccounts } from '../store/search/accounts.ts'
import { searchItems } from '../store/search/issues.ts'
import { searchRepositories } from '../store/search/repositories.ts'
import type { Found } from '../store/search/search.ts'
import { connection } from './connection.ts'
import type { Context, Info } from './fields.ts'

type Count = 'issueCount' | 'repositoryCount' | 'userCount'

/** `Query.search`. Pull requests count as issues, and organizations as users. */
export function search(
  _root: unknown,
  args: G.QuerySearchArgs,
  { store, principal }: Context,
  info: Info,
) {
  const { query } = args
  const page = <Item extends { nodeId: string }>({ total, items }: Found<Item>, count: Count) => ({
    issueCount: 0,
    repositoryCount: 0,
    userCount: 0,
    discussionCount: 0,
    wikiCount: 0,
    codeCount: 0,
    [count]: total,
    ...connection(items, args, info),
  })
  switch (args.type) {
    case 'ISSUE':
      return page(searchItems(store, principal, query), 'issueCount')
    case 'REPOSITORY':
      return page(searchRepositories(store, principal, query), 'repositoryCount')
    case 'USER':
      return page(searchAccounts(store, query), 'userCount')
    default:
      throw new Error(`sandbox: search of type ${args.type} is not modelled`)
  }
}
