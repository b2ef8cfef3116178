import { expect, test } from 'vitest'
import { seedDefault } from '../../sandbox/index.ts'
import { clientOf, HELLO, startSandbox } from './support.ts'

const ISSUES = `${HELLO}/issues`
const DOCS = 'https://docs.github.com/rest'

test.each([
  ['a missing repository', 'GET', '/repos/octo-org/none', undefined, 404, 'Not Found'],
  [
    "another user's private repository",
    'GET',
    '/repos/mallory/hidden',
    undefined,
    404,
    'Not Found',
  ],
  [
    "an issue in another user's private repository",
    'GET',
    '/repos/mallory/hidden/issues/1',
    undefined,
    404,
    'Not Found',
  ],
  ['an unknown path', 'GET', '/nope', undefined, 404, 'Not Found'],
  ['a missing file', 'GET', `${HELLO}/contents/nowhere`, undefined, 404, 'Not Found'],
  ['a malformed number', 'GET', `${ISSUES}/1e1`, undefined, 404, 'Not Found'],
  [
    'a write to an archived repository',
    'POST',
    '/repos/octo-org/attic/issues',
    { title: 'x' },
    403,
    'Repository was archived so is read-only.',
  ],
  [
    'an issue in a repository without issues',
    'POST',
    '/repos/octo-org/no-issues/issues',
    { title: 'x' },
    410,
    'Issues has been disabled in this repository.',
  ],
  ['broken JSON', 'POST', ISSUES, '{"title":', 400, 'Problems parsing JSON'],
  ['a list as body', 'POST', ISSUES, [], 400, 'Body should be a JSON object'],
  ['no title', 'POST', ISSUES, {}, 422, 'Invalid request.\n\n"title" wasn\'t supplied.'],
  [
    'a title of the wrong type',
    'POST',
    ISSUES,
    { title: {} },
    422,
    "Invalid request.\n\nFor 'properties/title', {} is not a string.",
  ],
] as const)('%s is refused like on GitHub', async (_what, method, path, body, status, message) => {
  const { rest } = await startSandbox()
  const reply = await rest(method, path, body)
  expect(reply.status).toBe(status)
  expect(reply.json).toEqual({ message, documentation_url: DOCS, status: String(status) })
})

test.each([
  ['a blank title', { title: ' ' }, { field: 'title', code: 'missing_field' }],
  [
    'an unknown assignee',
    { title: 'x', assignees: ['nobody'] },
    { field: 'assignees', code: 'invalid', value: 'nobody' },
  ],
  [
    'an unknown milestone',
    { title: 'x', milestone: 9 },
    { field: 'milestone', code: 'invalid', value: 9 },
  ],
])('%s fails validation, and nothing is written', async (_what, body, problem) => {
  const { rest, sandbox } = await startSandbox()
  const writes = sandbox.store.writes
  const { status, json } = await rest('POST', ISSUES, { labels: ['never made'], ...body })
  expect(status).toBe(422)
  expect(json).toMatchObject({
    message: 'Validation Failed',
    errors: [{ resource: 'Issue', ...problem }],
  })
  expect(sandbox.store.writes).toBe(writes)
})

test('a bad token and a missing token get different errors', async () => {
  const { sandbox } = await startSandbox()
  const bad = await clientOf(sandbox.url, 'wrong').rest('GET', '/user')
  const none = await clientOf(sandbox.url).rest('GET', '/user', undefined, { authorization: '' })
  expect([bad.status, bad.json.message]).toEqual([401, 'Bad credentials'])
  expect([none.status, none.json.message]).toEqual([401, 'Requires authentication'])
})

test('a token allows only what its user and its scopes allow', async () => {
  const { sandbox } = await startSandbox({
    seed(store) {
      seedDefault(store)
      const visitor = store.accounts.addUser({ login: 'visitor' })
      store.tokens.add({ token: 'visitor-token', user: visitor })
      const octocat = store.accounts.findUser('octocat')
      if (octocat) store.tokens.add({ token: 'narrow', user: octocat, scopes: ['public_repo'] })
    },
  })
  const visitor = clientOf(sandbox.url, 'visitor-token')
  expect((await visitor.rest('GET', '/repos/octo-org/secret-plans')).status).toBe(404)
  expect((await visitor.rest('PATCH', `${ISSUES}/1`, { title: 'Mine' })).status).toBe(403)

  // Anyone may open an issue, but GitHub ignores labels from users without rights.
  const made = await visitor.rest('POST', ISSUES, { title: 'Hello', labels: ['bug'] })
  expect(made.json).toMatchObject({ user: { login: 'visitor' }, labels: [] })
  const drafts = await visitor.rest('GET', `${HELLO}/releases?per_page=100`)
  expect(drafts.json.map(release => release.draft)).not.toContain(true)

  const narrow = clientOf(sandbox.url, 'narrow')
  const secret = await narrow.rest('GET', '/repos/octo-org/secret-plans')
  expect(secret.status).toBe(404)
  expect(secret.headers.get('x-oauth-scopes')).toBe('public_repo')
})

test('the sandbox refuses fields and formats that it does not model', async () => {
  const { rest, graphql } = await startSandbox()
  const html = await rest('GET', `${HELLO}/pulls/4`, undefined, {
    accept: 'application/vnd.github.v3.html+json',
  })
  expect(html.status).toBe(415)
  const { json } = await graphql('{ viewer { savedReplies(first: 1) { totalCount } } }')
  expect(json).toMatchObject({
    data: { viewer: { savedReplies: null } },
    errors: [
      { path: ['viewer', 'savedReplies'], message: 'sandbox: User.savedReplies is not modelled' },
    ],
  })
})

test('a search with a qualifier that is not modelled is refused', async () => {
  const { rest } = await startSandbox()
  const { status, json } = await rest('GET', '/search/issues?q=is:pr+status:success')
  expect([status, json.message]).toEqual([500, 'sandbox: searching by status is not modelled'])
})
