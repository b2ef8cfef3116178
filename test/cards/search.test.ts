import { describe, expect, test } from 'vitest'
import { PACKS, packDirectories } from '../../src/cards/packs.ts'
import { likelyIds, searchCards } from '../../src/cards/search.ts'
import { loadPacks } from '../support/packs.ts'

const { cards } = await loadPacks(packDirectories(PACKS))
const ALL = [...cards.values()]

/** A query, the capability that it means, and how many better ones may stand before it. */
const QUERIES: readonly (readonly [string, string, number])[] = [
  // Singular and plural, short and long.
  ['pull requests', 'pr.list', 2],
  ['pull request', 'pr.list', 2],
  ['PRs', 'pr.list', 2],
  ['list pull requests', 'pr.list', 0],
  ['listPullRequests', 'pr.list', 0],
  ['list merge requests', 'pr.list', 0],
  ['list prs', 'pr.list', 0],
  ['list pr', 'pr.list', 0],
  ['issues', 'issue.list', 2],
  ['listIssues', 'issue.list', 2],
  ['branches', 'repo.branches.list', 0],
  ['notifications', 'notifications.list', 0],
  // The words of people.
  ['approve pull request', 'pr.reviews.submit', 4],
  ['who changed this line', 'repo.blame.view', 2],
  ['latest release', 'release.view', 2],
  ['read README', 'repo.contents.view', 0],
  ['ready for review', 'pr.update', 14],
  ['who am I', 'viewer.view', 0],
  ['close issue', 'issue.close', 0],
  ['remove branch', 'repo.branch.delete', 0],
  ['comment on an issue', 'issue.comments.create', 4],
  ['reply to review thread', 'pr.threads.reply', 0],
  ['failing checks', 'pr.checks.list', 0],
  ['job logs', 'workflow.job.logs.view', 0],
  ['rename label', 'repo.labels.update', 0],
  ['trigger workflow', 'workflow.dispatch', 0],
  ['query metrics', 'prometheus.query', 0],
  // Slips.
  ['mrege pr', 'pr.merge', 0],
  ['crate isue', 'issue.create', 0],
]

test.each(QUERIES)('"%s" finds %s', (query, id, before) => {
  const ids = searchCards(ALL, query).map(card => card.id)
  expect(ids.slice(0, before + 1)).toContain(id)
})

describe('the likeliest meaning of an unknown id', () => {
  test.each([
    // Letters that changed places, or are missing.
    ['issue.veiw', 'issue.view'],
    ['repo.veiw', 'repo.view'],
    ['isuse.view', 'issue.view'],
    ['pr.mrege', 'pr.merge'],
    ['issue.craete', 'issue.create'],
    ['pr.lst', 'pr.list'],
    // Other ways to write an id.
    ['issue_view', 'issue.view'],
    ['issues.view', 'issue.view'],
    ['prs.list', 'pr.list'],
    ['createIssue', 'issue.create'],
    // Tools of GitHub's own MCP server.
    ['list_pull_requests', 'pr.list'],
    ['merge_pull_request', 'pr.merge'],
    ['pull_request_read', 'pr.view'],
    ['issue_read', 'issue.view'],
    ['get_file_contents', 'repo.contents.view'],
    ['list_commits', 'repo.commits.list'],
    ['search_code', 'search.code'],
    ['get_me', 'viewer.view'],
  ])('%s is %s', (unknown, id) => {
    expect(likelyIds(ALL, unknown, () => true)[0]).toBe(id)
  })

  test('is none for words that mean nothing', () => {
    expect(likelyIds(ALL, 'xyz.abc', () => true)).toEqual([])
  })
})
