import { expect, test } from 'vitest'
import { type Client, startSandbox } from './support.ts'

const REPOSITORY = 'repository(owner: "octo-org", name: "hello-world")'

async function repositoryId({ graphql }: Client): Promise<unknown> {
  return (await graphql(`{ ${REPOSITORY} { id } }`)).json.data?.repository?.id
}

test('an issue is created, edited, labelled, commented, closed and reopened', async () => {
  const client = await startSandbox()
  const run = async (document: string, input: Record<string, unknown>) => {
    const { json } = await client.graphql(document, { input })
    expect(json.errors).toBeUndefined()
    return json.data
  }
  const created = await run(
    `mutation($input: CreateIssueInput!) {
      createIssue(input: $input) { clientMutationId issue { id number title state body url } }
    }`,
    { repositoryId: await repositoryId(client), title: 'Broken', clientMutationId: 'mine' },
  )
  expect(created?.createIssue).toMatchObject({
    clientMutationId: 'mine',
    issue: {
      number: 41,
      title: 'Broken',
      state: 'OPEN',
      body: '',
      url: 'https://github.com/octo-org/hello-world/issues/41',
    },
  })
  const id = created?.createIssue?.issue?.id
  const label = (await client.graphql(`{ ${REPOSITORY} { label(name: "bug") { id } } }`)).json.data
    ?.repository?.label?.id

  expect(
    await run(
      'mutation($input: UpdateIssueInput!) { updateIssue(input: $input) { issue { title } } }',
      { id, title: 'Fixed' },
    ),
  ).toEqual({ updateIssue: { issue: { title: 'Fixed' } } })
  expect(
    await run(
      `mutation($input: AddLabelsToLabelableInput!) {
        addLabelsToLabelable(input: $input) { labelable { labels(first: 9) { nodes { name } } } }
      }`,
      { labelableId: id, labelIds: [label] },
    ),
  ).toEqual({ addLabelsToLabelable: { labelable: { labels: { nodes: [{ name: 'bug' }] } } } })
  expect(
    await run(
      `mutation($input: AddCommentInput!) {
        addComment(input: $input) { commentEdge { node { body author { login } } } }
      }`,
      { subjectId: id, body: 'Seen.' },
    ),
  ).toEqual({
    addComment: { commentEdge: { node: { body: 'Seen.', author: { login: 'octocat' } } } },
  })
  expect(
    await run(
      `mutation($input: CloseIssueInput!) {
        closeIssue(input: $input) { issue { state stateReason closed } }
      }`,
      { issueId: id, stateReason: 'NOT_PLANNED' },
    ),
  ).toEqual({
    closeIssue: { issue: { state: 'CLOSED', stateReason: 'NOT_PLANNED', closed: true } },
  })
  expect(
    await run(
      'mutation($input: ReopenIssueInput!) { reopenIssue(input: $input) { issue { state closedAt } } }',
      { issueId: id },
    ),
  ).toEqual({ reopenIssue: { issue: { state: 'OPEN', closedAt: null } } })
})

test('a missing repository is a NOT_FOUND error in a 200', async () => {
  const { graphql } = await startSandbox()
  const { status, json } = await graphql('{ repository(owner: "acme", name: "none") { id } }')
  expect(status).toBe(200)
  expect(json).toEqual({
    data: { repository: null },
    errors: [
      {
        type: 'NOT_FOUND',
        path: ['repository'],
        locations: [{ line: 1, column: 3 }],
        message: "Could not resolve to a Repository with the name 'acme/none'.",
      },
    ],
  })
})

test.each([
  ['no length', 'issues { nodes { id } }', 'MISSING_PAGINATION_BOUNDARIES'],
  ['a length over 100', 'issues(first: 101) { nodes { id } }', 'EXCESSIVE_PAGINATION'],
  [
    'a cursor of its own making',
    'issues(first: 1, after: "x") { nodes { id } }',
    'INVALID_CURSOR_ARGUMENTS',
  ],
  ['an issue that is a pull request', 'issue(number: 4) { id }', 'NOT_FOUND'],
])('%s is refused with a type of its own', async (_what, field, type) => {
  const { graphql } = await startSandbox()
  const { json } = await graphql(`{ ${REPOSITORY} { ${field} } }`)
  expect(json.errors).toMatchObject([{ type }])
})

test('a query for `totalCount` alone needs no `first` or `last`', async () => {
  const { graphql } = await startSandbox()
  const { json } = await graphql(`{ ${REPOSITORY} { issues(states: OPEN) { totalCount } } }`)
  expect(json).toEqual({ data: { repository: { issues: { totalCount: 20 } } } })
})

test('a query for too many nodes is refused before it runs', async () => {
  const { graphql } = await startSandbox()
  const { json } = await graphql(`{ ${REPOSITORY} {
    issues(first: 100) { nodes { comments(first: 100) { nodes { author { ... on User {
      repositories(first: 100) { nodes { id } } } } } } } } } }`)
  expect(json).toMatchObject({ errors: [{ type: 'MAX_NODE_LIMIT_EXCEEDED' }] })
  expect(json.data).toBeUndefined()
})

test('one invalid id among several fails only its own place in the list', async () => {
  const client = await startSandbox()
  const id = await repositoryId(client)
  const { json } = await client.graphql(
    'query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }',
    {
      ids: [id, 'R_nope'],
    },
  )
  expect(json.data?.nodes).toEqual([{ __typename: 'Repository', id }, null])
  expect(json.errors).toMatchObject([{ type: 'NOT_FOUND', path: ['nodes', 1] }])
})

test('a global id gives no access to what the caller may not see', async () => {
  const { graphql, sandbox } = await startSandbox()
  const hidden = sandbox.store.repositories.find('mallory', 'hidden')
  const { json } = await graphql('query($id: ID!) { node(id: $id) { id } }', { id: hidden?.nodeId })
  expect(json).toMatchObject({ data: { node: null }, errors: [{ type: 'NOT_FOUND' }] })
})

test('two fragments may ask for `state` of an issue and a pull request, as gh does', async () => {
  const { graphql } = await startSandbox()
  const { json } = await graphql(`{ ${REPOSITORY} { item: issueOrPullRequest(number: 16) {
    ... on Issue { state } ... on PullRequest { state } } } }`)
  expect(json).toEqual({ data: { repository: { item: { state: 'MERGED' } } } })
})

test.each([
  [
    'a field',
    '{ viewer { nope } }',
    "Field 'nope' doesn't exist on type 'User'",
    { code: 'undefinedField', typeName: 'User', fieldName: 'nope' },
  ],
  [
    'an argument',
    '{ repository(owner: "a") { id } }',
    "Field 'repository' is missing required arguments: name",
    { code: 'missingRequiredArguments', className: 'Field', name: 'repository', arguments: 'name' },
  ],
])(
  '%s that the official schema knows better is refused with a 200',
  async (_what, query, message, extensions) => {
    const { graphql } = await startSandbox()
    const { status, json } = await graphql(query)
    expect(status).toBe(200)
    expect(json).toEqual({ errors: [{ message, extensions, locations: [expect.anything()] }] })
  },
)

test('a merged pull request cannot be reopened', async () => {
  const { graphql, sandbox } = await startSandbox()
  const merged = sandbox.store.repositories.find('octo-org', 'hello-world')?.items.get(16)
  const { json } = await graphql(
    `mutation($input: ReopenPullRequestInput!) {
      reopenPullRequest(input: $input) { pullRequest { id } }
    }`,
    { input: { pullRequestId: merged?.nodeId } },
  )
  expect(json).toMatchObject({
    data: { reopenPullRequest: null },
    errors: [{ type: 'UNPROCESSABLE', message: 'Could not open the pull request.' }],
  })
})

test('a query can read its quota', async () => {
  const { graphql } = await startSandbox()
  const { json, headers } = await graphql(
    '{ rateLimit { limit cost remaining used resetAt nodeCount } }',
  )
  expect(json.data?.rateLimit).toMatchObject({
    limit: 5000,
    cost: 1,
    remaining: 4999,
    used: 1,
    nodeCount: 0,
  })
  expect(headers.get('x-ratelimit-remaining')).toBe('4999')
})

test('a mutation refuses input that it would ignore', async () => {
  const { graphql, sandbox } = await startSandbox()
  const pull = sandbox.store.repositories.find('octo-org', 'hello-world')?.items.get(4)
  const input = { pullRequestId: pull?.nodeId, title: 'New', projectIds: ['PVT_1'] }
  const mutation = `mutation Change($input: UpdatePullRequestInput!) {
    updatePullRequest(input: $input) { pullRequest { number } }
  }`
  const { json } = await graphql(mutation, { input })
  expect(json.errors?.[0]?.message).toBe('sandbox: projectIds of updatePullRequest is not modelled')
})
