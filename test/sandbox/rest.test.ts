import { expect, test } from 'vitest'
import { HELLO, startSandbox } from './support.ts'

test('an issue is created, edited, labelled, commented, closed and reopened', async () => {
  const { rest } = await startSandbox()

  const made = await rest('POST', `${HELLO}/issues`, { title: 'Broken', labels: ['bug'] })
  expect(made.status).toBe(201)
  expect(made.json).toMatchObject({ number: 41, title: 'Broken', state: 'open', body: null })
  const issue = made.headers.get('location') ?? ''

  expect((await rest('PATCH', issue, { title: 'Fixed', body: 'How.' })).json).toMatchObject({
    title: 'Fixed',
    body: 'How.',
  })
  const labels = await rest('POST', `${issue}/labels`, { labels: ['question', 'brand new'] })
  expect(labels.json.map(label => label.name)).toEqual(['bug', 'question', 'brand new'])
  expect((await rest('DELETE', `${issue}/labels/brand%20new`)).json).toHaveLength(2)
  expect((await rest('POST', `${issue}/comments`, { body: 'Seen.' })).status).toBe(201)

  const closed = await rest('PATCH', issue, { state: 'closed', state_reason: 'not_planned' })
  expect(closed.json).toMatchObject({
    state: 'closed',
    state_reason: 'not_planned',
    comments: 1,
    closed_by: { login: 'octocat' },
  })
  const reopened = await rest('PATCH', issue, { state: 'open' })
  expect(reopened.json).toMatchObject({
    state: 'open',
    state_reason: 'reopened',
    closed_at: null,
    closed_by: null,
  })
})

test('the list of issues has open issues and pull requests, newest first', async () => {
  const { rest } = await startSandbox()
  const { json } = await rest('GET', `${HELLO}/issues?per_page=5`)
  expect(json.map(item => [item.number, item.pull_request !== undefined])).toEqual([
    [40, true],
    [38, false],
    [37, false],
    [36, true],
    [35, false],
  ])
})

test.each([
  ['state', 'state=closed', 10 + 4],
  ['label', 'state=all&labels=bug', 8],
  ['two labels, of which an item has at most one', 'state=all&labels=bug,question', 0],
  ['creator', 'state=all&creator=hubot', 20],
  ['assignee', 'state=all&assignee=hubot', 1],
  ['milestone', 'state=all&milestone=1', 1],
  ['last change', 'state=all&since=2026-01-08T23:00:00Z', 2],
])('issues are filtered by %s', async (_what, query, count) => {
  const { rest } = await startSandbox()
  expect((await rest('GET', `${HELLO}/issues?per_page=100&${query}`)).json).toHaveLength(count)
})

test('issues can be sorted by comments, fewest first', async () => {
  const { rest } = await startSandbox()
  const most = await rest('GET', `${HELLO}/issues?sort=comments&per_page=1`)
  const fewest = await rest('GET', `${HELLO}/issues?sort=comments&direction=asc&per_page=1`)
  expect([most.json[0]?.number, fewest.json[0]?.number]).toEqual([2, 1])
})

test('pull requests are listed and viewed with their own fields', async () => {
  const { rest } = await startSandbox()
  const list = await rest('GET', `${HELLO}/pulls?state=all&per_page=100`)
  expect(list.json).toHaveLength(10)
  const merged = await rest('GET', `${HELLO}/pulls/16`)
  expect(merged.json).toMatchObject({
    state: 'closed',
    merged: true,
    merged_by: { login: 'hubot' },
    head: { ref: 'topic-16' },
    base: { ref: 'main' },
  })
  expect((await rest('GET', `${HELLO}/pulls/1`)).status).toBe(404)
})

test('releases come newest first, and the latest is neither a draft nor a prerelease', async () => {
  const { rest } = await startSandbox()
  const all = await rest('GET', `${HELLO}/releases?per_page=3`)
  expect(all.json.map(release => release.tag_name)).toEqual(['v1.0.0', 'v1.0.0-rc.1', 'v0.8.0'])
  const latest = await rest('GET', `${HELLO}/releases/latest`)
  expect(latest.json.tag_name).toBe('v0.8.0')
  const byId = await rest('GET', `${HELLO}/releases/${Number(latest.json.id)}`)
  expect(byId.json).toEqual(latest.json)
  expect((await rest('GET', `${HELLO}/releases/tags/v1.0.0`)).status).toBe(404)
})

test('search supports qualifiers, quotes and negation', async () => {
  const { rest } = await startSandbox()
  const count = async (query: string) =>
    (await rest('GET', `/search/issues?q=${encodeURIComponent(query)}`)).json.total_count
  expect(await count('repo:octo-org/hello-world is:pr is:merged')).toBe(2)
  expect(await count('repo:octo-org/hello-world label:"good first issue"')).toBe(8)
  expect(await count('repo:octo-org/hello-world is:issue -label:bug')).toBe(24)
  expect(await count('"Tell nobody"')).toBe(1)
  expect(await count('"You cannot see this"')).toBe(0)
})

test('a repository is found by its name in upper or lower case, and by its id', async () => {
  const { rest } = await startSandbox()
  const { json } = await rest('GET', '/repos/OCTO-ORG/Hello-World')
  expect(json).toMatchObject({
    full_name: 'octo-org/hello-world',
    private: false,
    default_branch: 'main',
    stargazers_count: 42,
    forks_count: 7,
    permissions: { admin: true },
  })
  expect((await rest('GET', `/repositories/${Number(json.id)}`)).json.node_id).toBe(json.node_id)
})

test('the endpoints are also available under the prefix of GitHub Enterprise', async () => {
  const { rest } = await startSandbox()
  expect((await rest('GET', '/api/v3/user')).json.login).toBe('octocat')
  const { json } = await rest('POST', '/api/graphql', { query: '{ viewer { login } }' })
  expect(json).toEqual({ data: { viewer: { login: 'octocat' } } })
})
