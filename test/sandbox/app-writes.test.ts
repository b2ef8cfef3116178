import { describe, expect, test } from 'vitest'
import type { AppPermissions } from '../../sandbox/index.ts'
import { appJwt, installApp } from '../support/github-app.ts'
import { type Client, clientOf, HELLO, type Json, startSandbox } from './support.ts'

const NO = 'Resource not accessible by integration'
type Ids = Record<'repository' | 'issue' | 'pull' | 'comment', unknown>

/** An app with these permissions, and the objects that it tries to change. */
async function startApp(permissions: AppPermissions) {
  const owner = await startSandbox()
  const { installations } = installApp(owner.sandbox, { permissions })
  const asApp = clientOf(owner.sandbox.url, await appJwt())
  const path = `/app/installations/${installations[0]?.id}/access_tokens`
  const { json } = await asApp.rest('POST', path)
  const issue = await owner.rest('POST', `${HELLO}/issues`, { title: 'Target' })
  const number = JSON.stringify(issue.json.number)
  const comment = await owner.rest('POST', `${HELLO}/issues/${number}/comments`, { body: 'Target' })
  const [pull] = (await owner.rest('GET', `${HELLO}/pulls`)).json as unknown as Json[]
  const repository = await owner.rest('GET', HELLO)
  const ids: Ids = {
    repository: repository.json.node_id,
    issue: issue.json.node_id,
    comment: comment.json.node_id,
    pull: pull?.node_id,
  }
  const numbers = {
    issue: number,
    comment: JSON.stringify(comment.json.id),
    pull: JSON.stringify(pull?.number),
  }
  return { owner, app: clientOf(owner.sandbox.url, json.token as unknown as string), ids, numbers }
}

type Started = Awaited<ReturnType<typeof startApp>>
type Change = (started: Started) => Promise<string>

const post =
  (path: (numbers: Started['numbers']) => string, body: object): Change =>
  async ({ app, numbers }) => {
    const { status, json } = await app.rest('POST', `${HELLO}${path(numbers)}`, body)
    return status < 300 ? 'made' : `${status} ${json.message as unknown as string}`
  }

const mutate =
  (name: string, inputOf: (ids: Ids) => object, selection = 'clientMutationId'): Change =>
  async ({ app, ids }) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`
    const query = `mutation($input: ${type}) { ${name}(input: $input) { ${selection} } }`
    const { json } = await app.graphql(query, { input: inputOf(ids) })
    const [error] = (json.errors ?? []) as unknown as Record<'type' | 'message', string>[]
    return error ? `${error.type} ${error.message}` : 'made'
  }

/** Everything that a user without rights may add to a public repository. */
const changes = {
  'issue, rest': post(() => '/issues', { title: 'New' }),
  'comment, rest': post(({ issue }) => `/issues/${issue}/comments`, { body: 'New' }),
  'comment on a pull request, rest': post(({ pull }) => `/issues/${pull}/comments`, {
    body: 'New',
  }),
  'reaction, rest': post(({ issue }) => `/issues/${issue}/reactions`, { content: 'heart' }),
  'reaction to a comment, rest': post(({ comment }) => `/issues/comments/${comment}/reactions`, {
    content: 'heart',
  }),
  'review, rest': post(({ pull }) => `/pulls/${pull}/reviews`, { body: 'New', event: 'COMMENT' }),
  'issue, graphql': mutate('createIssue', ({ repository }) => ({
    repositoryId: repository,
    title: 'New',
  })),
  'comment, graphql': mutate('addComment', ({ issue }) => ({ subjectId: issue, body: 'New' })),
  'comment on a pull request, graphql': mutate('addComment', ({ pull }) => ({
    subjectId: pull,
    body: 'New',
  })),
  'reaction, graphql': mutate('addReaction', ({ issue }) => ({
    subjectId: issue,
    content: 'HEART',
  })),
  'reaction to a comment, graphql': mutate('addReaction', ({ comment }) => ({
    subjectId: comment,
    content: 'HEART',
  })),
  'review, graphql': mutate('addPullRequestReview', ({ pull }) => ({
    pullRequestId: pull,
    body: 'New',
    event: 'COMMENT',
  })),
} as const satisfies Record<string, Change>

const rows = Object.entries(changes)
const countOf = async ({ rest }: Client) =>
  (await rest('GET', `${HELLO}/issues?state=all&per_page=100`)).json.length

describe.each([
  ['only reads', { contents: 'read', issues: 'read', pull_requests: 'read' }],
  ['writes something else', { statuses: 'write', issues: 'read', pull_requests: 'read' }],
] as const)('an app that %s', (_app, permissions) => {
  test.each(rows)('makes no %s', async (title, change) => {
    const started = await startApp(permissions)
    const before = await countOf(started.owner)
    const code = title.endsWith('rest') ? '403' : 'FORBIDDEN'
    expect(await change(started)).toBe(`${code} ${NO}`)
    expect(await countOf(started.owner)).toBe(before)
  })
})

test.each(rows)('an app with the permissions makes a %s', async (_title, change) => {
  const started = await startApp({ issues: 'write', pull_requests: 'write' })
  expect(await change(started)).toBe('made')
})
