import { afterAll, beforeAll, expect, test } from 'vitest'
import { hello } from '../parity/worlds.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { retries: 0 } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

const routes = ['rest', 'graphql', 'cli'] as const
const byGraphql = ['graphql', 'cli'] as const
const byRest = ['rest', 'cli'] as const
const pull = { ...hello, prNumber: 4 }
const asIssue = { ...hello, issueNumber: 4 }
const none =
  'You have no pending review of this pull request; pr.reviews.pending.create begins one.'
const isPull = (other: string) =>
  `This number is of a pull request, not an issue; ${other} takes it.`
const noComment = 'The issue has no comment with this id.'
const noCategory =
  'The repository has no discussion category with this slug; discussion.categories.list shows them.'
const elsewhere = { ...hello, issueNumber: 1, commentId: 999_999 }

const rows = [
  ['pr.reviews.pending.view', pull, none, ['prNumber'], routes],
  [
    'pr.reviews.pending.comments.add',
    { ...pull, path: 'x', body: 'y' },
    none,
    ['prNumber'],
    byGraphql,
  ],
  ['pr.reviews.pending.submit', { ...pull, event: 'COMMENT' }, none, ['prNumber'], routes],
  ['pr.reviews.pending.delete', pull, none, ['prNumber'], routes],
  [
    'issue.update',
    { ...asIssue, title: 'x', body: 'y' },
    isPull('pr.update'),
    ['issueNumber'],
    routes,
  ],
  ['issue.close', asIssue, isPull('pr.close'), ['issueNumber'], routes],
  ['issue.reopen', asIssue, isPull('pr.reopen'), ['issueNumber'], routes],
  [
    'issue.milestone.set',
    { ...asIssue, milestoneNumber: 1 },
    isPull('pr.update'),
    ['issueNumber'],
    routes,
  ],
  ['issue.view', asIssue, isPull('pr.view'), ['issueNumber'], byRest],
  [
    'issue.assignees.add',
    { ...asIssue, assignees: ['hubot'] },
    isPull('pr.assignees.add'),
    ['issueNumber'],
    byRest,
  ],
  [
    'issue.comments.update',
    { ...elsewhere, body: 'x' },
    noComment,
    ['issueNumber', 'commentId'],
    ['graphql'],
  ],
  ['discussion.list', { ...hello, category: 'nope' }, noCategory, ['category'], byGraphql],
  [
    'repo.labels.delete',
    { ...hello, label: 'nope' },
    'The repository has no label of this name.',
    ['label'],
    ['graphql'],
  ],
] as const

test.each(
  rows.flatMap(([id, input, message, fields, own]) =>
    own.map(route => ({ id, input, message, fields, route })),
  ),
)('$id by $route says what is missing', async ({ id, input, message, fields, route }) => {
  const { body } = await gateway.call(id, input, { query: { route } })
  expect(body.error).toMatchObject({ code: 'NOT_FOUND', message, next: { fields } })
})

test.each(routes)(
  'without the pull request, the review is not the one missed, by %s',
  async route => {
    const input = { ...hello, prNumber: 9999 }
    const { body } = await gateway.call('pr.reviews.pending.view', input, { query: { route } })
    expect(body.error.code).toBe('NOT_FOUND')
    expect(body.error.message).not.toContain('pending')
  },
)

test.each([
  ['pr.reviews.pending.view', { ...hello, prNumber: 9999 }, 'prNumber'],
  ['issue.update', { ...hello, issueNumber: 9999, title: 'x' }, 'issueNumber'],
  ['pr.merge', { ...hello, prNumber: 9999 }, 'prNumber'],
])(
  '%s by graphql: words of the service beside the gap take precedence',
  async (id, input, member) => {
    const { body } = await gateway.call(id, input, { query: { route: 'graphql' } })
    const message = expect.stringContaining('9999')
    expect(body.error).toMatchObject({ code: 'NOT_FOUND', message, next: { fields: [member] } })
  },
)
