import type { IssueOrPull } from '../store/entities.ts'
import { searchItems } from '../store/search.ts'
import type { Answer, RestCall, RouteTable } from './call.ts'
import { validationFailed } from './errors.ts'
import { issueJson } from './json/issue.ts'
import { linkHeader, pageOf } from './paging.ts'

export const searchRoutes: RouteTable = {
  'GET /search/issues': searchIssues,
}

function searchIssues(call: RestCall): Answer {
  const { q } = call.query
  if (!q) throw validationFailed({ resource: 'Search', field: 'q', code: 'missing' })
  const found = searchItems(call.store, call.principal, q)
  const { page, perPage } = pageOf(call)
  const items = found.slice((page - 1) * perPage, page * perPage)
  return {
    status: 200,
    body: {
      total_count: found.length,
      incomplete_results: false,
      // Octokit takes the first of the other members for the list.
      items: items.map(item => foundJson(item, call.origin)),
      search_type: 'lexical',
    },
    headers: linkHeader(call, found.length),
  }
}

/** An issue among search results: here a body that is missing is left out. */
function foundJson(item: IssueOrPull, origin: string) {
  const { body, ...issue } = issueJson(item, origin)
  return { ...issue, ...(body !== null && { body }), score: 1 }
}
