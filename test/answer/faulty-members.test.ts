import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultyMembers, translateFields } from '../../src/answer/faulty-members.ts'
import type { ErrorCode } from '../../src/model/errors.ts'
import { createFailure } from '../../src/model/failure.ts'
import { hello } from '../parity/worlds.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { retries: 0 } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

function cardOf(id: string) {
  const card = gateway.engine.catalog.get(id)
  if (!card) throw new Error(`there is no ${id}`)
  return card
}

const issue = { ...hello, title: 'New', labels: ['bug'], assignees: ['hubot'], milestoneNumber: 7 }
const pull = { ...hello, title: 'New', head: 'topic', base: 'main', reviewers: ['hubot'] }
const asked = { ...hello, prNumber: 4, reviewers: ['hubot'], teamReviewers: ['core'] }
const place = ['owner', 'name']

type Row = readonly [
  message: string,
  code: ErrorCode,
  id: string,
  input: Readonly<Record<string, unknown>>,
  members: readonly string[],
]

/** Forms of messages of GitHub's APIs and of gh. */
const MESSAGES: readonly Row[] = [
  [
    "Could not resolve to a Repository with the name 'octo-org/hello-world'.",
    'NOT_FOUND',
    'issue.create',
    issue,
    place,
  ],
  [
    "Could not resolve to a Label with the name 'bug'.",
    'NOT_FOUND',
    'issue.create',
    issue,
    ['labels'],
  ],
  [
    "Could not resolve to a User with the login of 'hubot'.",
    'NOT_FOUND',
    'issue.create',
    issue,
    ['assignees'],
  ],
  [
    'Could not resolve to an Issue with the number of 500.',
    'NOT_FOUND',
    'issue.view',
    { ...hello, issueNumber: 500 },
    ['issueNumber'],
  ],
  [
    'Could not resolve to an issue or pull request with the number of 500. (repository.issue)',
    'NOT_FOUND',
    'pr.view',
    { ...hello, prNumber: 500 },
    ['prNumber'],
  ],
  [
    'Not Found',
    'NOT_FOUND',
    'issue.view',
    { ...hello, issueNumber: 500 },
    [...place, 'issueNumber'],
  ],
  ['Issues are disabled for this repo', 'NOT_FOUND', 'issue.list', hello, place],
  ['Branch not found', 'NOT_FOUND', 'repo.branch.delete', { ...hello, branch: 'x' }, ['branch']],
  ['A pull request already exists for octo-org:topic.', 'CONFLICT', 'pr.create', pull, ['head']],
  ['No commits between main and topic', 'VALIDATION', 'pr.create', pull, ['head', 'base']],
  [
    'a pull request for branch "topic" into branch "main" already exists: https://github.com/octo-org/hello-world/pull/7',
    'CONFLICT',
    'pr.create',
    pull,
    ['head', 'base'],
  ],
  ['Title is too long (maximum is 256 characters)', 'VALIDATION', 'issue.create', issue, ['title']],
  ['Labels are not valid', 'VALIDATION', 'issue.create', issue, ['labels']],
  [
    'label with name "rate limit" already exists; use `--force` to update its color',
    'CONFLICT',
    'repo.labels.create',
    { ...hello, label: 'rate limit', color: 'ededed' },
    ['label'],
  ],
  [
    'README.md does not match aaaa',
    'CONFLICT',
    'repo.contents.put',
    { ...hello, path: 'README.md', message: 'x', content: 'y', sha: 'bbbb' },
    ['path'],
  ],
  [
    'Something is wrong with the teams of the octo-org/hello-world repository.',
    'VALIDATION',
    'pr.reviews.request',
    { ...asked, reviewers: undefined },
    ['teamReviewers'],
  ],
  [
    'One or more of the users you specified is not a collaborator of the octo-org/hello-world repository.',
    'VALIDATION',
    'pr.reviews.request',
    { ...asked, teamReviewers: undefined },
    ['reviewers'],
  ],
  [
    'It is refused in octo-org/hello-world.',
    'VALIDATION',
    'issue.create',
    issue,
    ['labels', 'assignees', 'milestoneNumber'],
  ],
  ['Validation Failed', 'VALIDATION', 'issue.create', issue, [...place, 'title']],
  ['Not Found', 'NOT_FOUND', 'repo.commits.list', { ...hello, ref: 'nope' }, [...place, 'ref']],
  ['Not Found', 'NOT_FOUND', 'repo.tree.list', { ...hello, path: 'nope' }, [...place, 'path']],
  [
    'Not Found',
    'NOT_FOUND',
    'issue.comments.update',
    { ...hello, commentId: 1, body: 'x' },
    [...place, 'commentId'],
  ],
  ['Not Found', 'NOT_FOUND', 'gist.list', { login: 'nobody', first: 1 }, ['login']],
  [
    'Not Found',
    'NOT_FOUND',
    'repo.tag.view',
    { owner: 'a', name: '404', tag: 'v' },
    [...place, 'tag'],
  ],
  [
    'Not Found (HTTP 404)',
    'NOT_FOUND',
    'repo.tag.view',
    { owner: 'a', name: '404', tag: 'v' },
    [...place, 'tag'],
  ],
]

test.each(MESSAGES)('%s (%s, %s)', (message, code, id, input, members) => {
  const failure = createFailure(
    code,
    `github answered ${code === 'NOT_FOUND' ? 404 : 422}: ${message}`,
  )
  expect(faultyMembers(cardOf(id), input, failure).toSorted()).toEqual(members.toSorted())
})

/** GitHub's message for users and teams alike. */
const NO_COLLABORATORS =
  'Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the octo-org/hello-world repository.'

test.each([
  ['rest', asked, ['reviewers', 'teamReviewers']],
  ['cli', asked, ['reviewers', 'teamReviewers']],
  ['rest', { ...hello, prNumber: 4, teamReviewers: ['core'] }, ['teamReviewers']],
  ['cli', { ...hello, prNumber: 4, reviewers: ['hubot'] }, ['reviewers']],
])('a reviewer without access, by %s: %j', async (route, input, fields) => {
  const body = { message: NO_COLLABORATORS }
  gateway.sandbox.faults.set([{ on: { method: 'POST' }, do: { status: 422, body }, times: 1 }])
  const answer = await gateway.call('pr.reviews.request', input, { query: { route } })
  expect(answer.body.error).toMatchObject({ code: 'VALIDATION', next: { fields } })
})

const title = { ...hello, title: 'x' }
const routes = ['rest', 'graphql', 'cli']
const lookups = [
  ['issue.create', { ...title, projectNumber: 99 }, ['projectNumber'], routes],
  ['issue.create', { ...title, milestoneNumber: 99 }, ['milestoneNumber'], routes],
  ['issue.create', { ...title, assignees: ['nobody-here'] }, ['assignees'], routes],
  ['issue.create', { ...title, labels: ['bug', 'nope'] }, ['labels'], routes],
  ['issue.create', { ...title, template: 'nope.md' }, ['template'], ['graphql']],
  ['issue.update', { ...hello, issueNumber: 1, labels: ['nope'] }, ['labels'], routes],
  ['issue.labels.add', { ...hello, issueNumber: 1, labels: ['nope'] }, ['labels'], routes],
  ['pr.create', { ...pull, head: 'topic-4', teamReviewers: ['nope'] }, ['teamReviewers'], routes],
] as const

describe('a lookup that finds nothing names its member', () => {
  test.each(
    lookups.flatMap(([id, input, fields, own]) => own.map(route => ({ id, input, fields, route }))),
  )('$id by $route: $fields', async ({ id, input, fields, route }) => {
    const { body } = await gateway.call(id, input, { query: { route } })
    expect(body.error.next).toMatchObject({ action: 'fix_input', fields })
  })
})

test.each(['rest', 'graphql', 'cli'])('the label that is missing is named, by %s', async route => {
  const input = { ...title, labels: ['bug', 'nope', 'question', 'neither'] }
  const { body } = await gateway.call('issue.create', input, { query: { route } })
  expect(body.error.message).toContain('nothing named "nope", "neither".')
})

test.each(['rest', 'cli'])('the reason of a refusal is told, by %s', async route => {
  const query = { route }
  const taken = { ...hello, title: 'x', head: 'topic-20', base: 'main' }
  const exists = await gateway.call('pr.create', taken, { query })
  expect(exists.body.error).toMatchObject({
    message: expect.stringContaining('A pull request already exists for octo-org:topic-20.'),
    next: { fields: ['head'] },
  })
  const equal = await gateway.call('pr.create', { ...taken, head: 'main' }, { query })
  expect(equal.body.error.message).toContain('No commits between main and main')
})

const taken = [
  ['repo.labels.create', { ...hello, label: 'bug', color: '000000' }, 'label'],
  ['repo.labels.update', { ...hello, label: 'bug', newName: 'question' }, 'newName'],
  [
    'release.assets.upload',
    { ...hello, releaseId: 1, assetName: 'a.txt', content: 'YQ==' },
    'assetName',
  ],
] as const

test.each(taken)(
  '%s: the name that is taken is not that of the repository',
  (id, input, member) => {
    const fields = [{ path: 'name', message: 'already_exists' }]
    const failure = createFailure('CONFLICT', 'Validation Failed', { details: { fields } })
    expect(faultyMembers(cardOf(id), input, failure)).toEqual([member])
    expect(translateFields(cardOf(id), fields)).toMatchObject([{ path: member }])
  },
)
