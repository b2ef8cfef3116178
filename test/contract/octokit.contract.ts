import { GraphqlResponseError } from '@octokit/graphql'
import { Octokit, RequestError } from 'octokit'
import { describe, expect, test } from 'vitest'
import { openOctokit, repo } from './octokit.ts'

const { sandbox, octokit } = await openOctokit()

describe('rest', () => {
  test('reads a repository and a user', async () => {
    const { data } = await octokit.rest.repos.get(repo)
    expect(data).toMatchObject({ full_name: 'octo-org/hello-world', stargazers_count: 42 })
    const user = await octokit.rest.users.getAuthenticated()
    expect(user.data.login).toBe('octocat')
  })

  test('creates, changes and reads again', async () => {
    const { data: made } = await octokit.rest.issues.create({ ...repo, title: 'By octokit' })
    const at = { ...repo, issue_number: made.number }
    await octokit.rest.issues.addLabels({ ...at, labels: ['bug'] })
    await octokit.rest.issues.createComment({ ...at, body: 'Seen.' })
    await octokit.rest.issues.update({ ...at, state: 'closed', state_reason: 'not_planned' })
    const { data } = await octokit.rest.issues.get(at)
    expect(data).toMatchObject({ state: 'closed', state_reason: 'not_planned', comments: 1 })
  })

  test('answers a known ETag with 304, which octokit throws', async () => {
    const { headers } = await octokit.rest.repos.get(repo)
    const again = octokit.rest.repos.get({ ...repo, headers: { 'if-none-match': headers.etag } })
    await expect(again).rejects.toMatchObject({ status: 304 })
  })

  test('reports how much of the quota is left', async () => {
    const { data, headers } = await octokit.rest.rateLimit.get()
    expect(Number(headers['x-ratelimit-remaining'])).toBe(data.resources.core.remaining)
  })
})

describe('paginate', () => {
  test('follows the links to the end', async () => {
    const issues = await octokit.paginate(octokit.rest.issues.listForRepo, {
      ...repo,
      state: 'all',
      per_page: 7,
    })
    expect(issues).toHaveLength(40)
  })

  test('unwraps the items of a search', async () => {
    const found = await octokit.paginate(octokit.rest.search.issuesAndPullRequests, {
      q: 'repo:octo-org/hello-world is:pr is:merged',
      per_page: 1,
    })
    expect(found.map(item => item.number)).toEqual([32, 16])
  })

  test('iterates over pages', async () => {
    const sizes: number[] = []
    const pages = octokit.paginate.iterator(octokit.rest.repos.listReleases, {
      ...repo,
      per_page: 4,
    })
    for await (const { data } of pages) sizes.push(data.length)
    expect(sizes).toEqual([4, 4, 2])
  })
})

describe('lists', () => {
  const issues = (filter: object) =>
    octokit.rest.issues.listForRepo({ ...repo, state: 'all', ...filter })
  const pulls = (filter: object) => octokit.rest.pulls.list({ ...repo, state: 'all', ...filter })
  const commits = (filter: object) => octokit.rest.repos.listCommits({ ...repo, ...filter })

  test.each([
    ['issues by two labels', issues, { labels: 'bug,enhancement' }, 0],
    ['issues by a label', issues, { labels: 'Bug', per_page: 100 }, 8],
    ['issues by assignee', issues, { assignee: 'hubot' }, 1],
    ['issues by milestone', issues, { milestone: '1' }, 1],
    ['issues without a milestone', issues, { milestone: 'none', per_page: 100 }, 39],
    ['pull requests by head', pulls, { head: 'octo-org:topic-4' }, 1],
    ['pull requests by the head of another', pulls, { head: 'mallory:topic-4' }, 0],
    ['pull requests by base', pulls, { base: 'topic-4' }, 0],
    ['pull requests by comments', pulls, { sort: 'popularity', per_page: 1 }, 1],
    ['commits by nobody', commits, { author: 'nobody@example.test' }, 0],
  ])('filters %s', async (_what, list, filter, count) => {
    const { data } = (await list(filter)) as { data: readonly unknown[] }
    expect(data).toHaveLength(count)
  })

  test.each([{ creator: 'no-such-user' }, { assignee: 'no-such-user' }, { milestone: '99' }])(
    'refuses to filter issues by what does not exist: %j',
    async filter => {
      await expect(issues(filter)).rejects.toMatchObject({ status: 422 })
    },
  )
})

describe('graphql', () => {
  test('answers a query with variables', async () => {
    const answer = await octokit.graphql(
      'query ($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { stargazerCount } }',
      repo,
    )
    expect(answer).toEqual({ repository: { stargazerCount: 42 } })
  })

  test('follows its cursors', async () => {
    const { repository } = await octokit.graphql.paginate<{
      repository: { issues: { nodes: unknown[] } }
    }>(
      `query ($cursor: String, $owner: String!, $repo: String!) {
        repository(owner: $owner, name: $repo) {
          issues(first: 7, after: $cursor) { nodes { number } pageInfo { hasNextPage endCursor } }
        }
      }`,
      repo,
    )
    expect(repository.issues.nodes).toHaveLength(30)
  })

  test('a GraphQL error has its type and path, and comes with the data', async () => {
    const asked = octokit.graphql(
      '{ viewer { login } repository(owner: "octo-org", name: "none") { id } }',
    )
    const error = await asked.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(GraphqlResponseError)
    expect(error).toMatchObject({
      errors: [{ type: 'NOT_FOUND', path: ['repository'] }],
      data: { viewer: { login: 'octocat' }, repository: null },
    })
  })
})

describe('errors', () => {
  test.each([
    ['a missing repository', 404, () => octokit.rest.repos.get({ ...repo, repo: 'none' })],
    [
      'the private repository of another user',
      404,
      () => octokit.rest.repos.get({ owner: 'mallory', repo: 'hidden' }),
    ],
    [
      'an archived repository',
      403,
      () => octokit.rest.issues.create({ ...repo, repo: 'attic', title: 'x' }),
    ],
    ['a blank title', 422, () => octokit.rest.issues.create({ ...repo, title: '' })],
    [
      'issues switched off',
      410,
      () => octokit.rest.issues.create({ ...repo, repo: 'no-issues', title: 'x' }),
    ],
  ])('%s is a RequestError with status %i', async (_what, status, call) => {
    const error = await call().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RequestError)
    expect(error).toMatchObject({ status, response: { data: { message: expect.any(String) } } })
  })

  test('a bad token is 401', async () => {
    const stranger = new Octokit({ baseUrl: sandbox.url, auth: 'wrong', log: octokit.log })
    await expect(stranger.rest.users.getAuthenticated()).rejects.toMatchObject({ status: 401 })
  })

  test('a rate limit says when it ends', async () => {
    sandbox.faults.set([{ on: { path: '^/user$' }, do: { rate_limit: 'primary' } }])
    const error = await octokit.rest.users.getAuthenticated().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      status: 403,
      response: {
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': expect.anything() },
      },
    })
  })
})
