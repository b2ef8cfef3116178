import type { Account, IssueOrPull, Repository } from '../store/entities.ts'
import { searchAccounts } from '../store/search/accounts.ts'
import { type CodeFile, namesCode, searchCode, wordsOf } from '../store/search/code.ts'
import { searchCommits } from '../store/search/commits.ts'
import { searchItems } from '../store/search/issues.ts'
import type { Sort } from '../store/search/query.ts'
import { searchRepositories } from '../store/search/repositories.ts'
import { type Found, MOST_RESULTS } from '../store/search/search.ts'
import type { Answer, RestCall, RouteTable } from './call.ts'
import { RestError, validationFailed } from './errors.ts'
import { accountJson } from './json/account.ts'
import { codeJson } from './json/code.ts'
import { commitJson, signatureJson } from './json/commit.ts'
import { issueJson } from './json/issue.ts'
import { repositoryJson } from './json/repository.ts'
import { textMatches } from './json/text-matches.ts'
import { linkHeader, pageOf } from './paging.ts'

const LONGEST_QUERY = 256

export const searchRoutes: RouteTable = {
  'GET /search/issues': call => {
    const found = searchItems(call.store, call.principal, textOf(call), sortOf(call))
    const answer = foundAnswer(call, found, item => issueHit(item, call.origin))
    return { ...answer, body: { ...answer.body, search_type: 'lexical' } }
  },
  'GET /search/repositories': call =>
    foundAnswer<Repository>(
      call,
      searchRepositories(call.store, call.principal, textOf(call), sortOf(call)),
      repository => repositoryJson(repository, call.origin, call.principal),
    ),
  'GET /search/users': call =>
    foundAnswer<Account>(call, searchAccounts(call.store, textOf(call), sortOf(call)), account =>
      accountJson(account, call.origin),
    ),
  'GET /search/commits': call =>
    foundAnswer(
      call,
      searchCommits(call.store, call.principal, textOf(call), sortOf(call)),
      commit => ({
        ...commitJson(commit, call.origin, call.store),
        // In search results the committer is git's signature, not an account.
        committer: signatureJson(commit.committer),
        repository: repositoryJson(commit.repository, call.origin, call.principal),
      }),
    ),
  'GET /search/code': call =>
    foundAnswer<CodeFile>(call, searchCode(call.store, call.principal, codeTextOf(call)), file =>
      codeHit(call, file),
    ),
}

export const searchMedia = { 'GET /search/code': ['text-match'] }

/** Shows the matching text if the caller asks for it. */
function codeHit(call: RestCall, file: CodeFile) {
  const json = codeJson(file, call.origin, call.principal)
  if (call.media === null) return json
  return { ...json, text_matches: textMatches(file.text(), wordsOf(codeTextOf(call)), json.url) }
}

function textOf({ query: { q } }: RestCall): string {
  if (!q) throw validationFailed({ resource: 'Search', field: 'q', code: 'missing' })
  if (q.length <= LONGEST_QUERY) return q
  throw validationFailed({
    resource: 'Search',
    field: 'q',
    code: 'invalid',
    message: `The search is longer than ${LONGEST_QUERY} characters.`,
  })
}

function codeTextOf(call: RestCall): string {
  const text = textOf(call)
  if (namesCode(text)) return text
  throw validationFailed({
    resource: 'Search',
    field: 'q',
    code: 'invalid',
    message: 'ERROR_TYPE_QUERY_PARSING_FATAL unable to parse query!',
  })
}

function sortOf({ query: { sort, order } }: RestCall): Sort | undefined {
  return sort ? { by: sort, direction: order === 'asc' ? 'asc' : 'desc' } : undefined
}

function foundAnswer<Item>(
  call: RestCall,
  { total, items }: Found<Item>,
  serialize: (item: Item) => object,
) {
  const { page, perPage } = pageOf(call)
  const start = (page - 1) * perPage
  if (start >= MOST_RESULTS) {
    throw new RestError(422, `Only the first ${MOST_RESULTS} search results are available`)
  }
  return {
    status: 200,
    body: {
      total_count: total,
      incomplete_results: false,
      // Octokit takes the first member that is not a count as the list.
      items: items.slice(start, start + perPage).map(item => ({ ...serialize(item), score: 1 })),
    },
    headers: linkHeader(call, items.length),
  } satisfies Answer
}

/** An issue in search results. GitHub leaves out an empty body here. */
function issueHit(item: IssueOrPull, origin: string) {
  const { body, ...issue } = issueJson(item, origin)
  return { ...issue, ...(body !== null && { body }) }
}
