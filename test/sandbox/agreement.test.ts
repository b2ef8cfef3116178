import { expect, test } from 'vitest'
import { HELLO, type Json, startSandbox } from './support.ts'

const QUERY = `{ repository(owner: "octo-org", name: "hello-world") {
  id name nameWithOwner isPrivate stargazerCount forkCount url description
  defaultBranchRef { name }
  issues(first: 100, orderBy: { field: CREATED_AT, direction: DESC }) { nodes {
    id number title body state url createdAt updatedAt closedAt author { login }
    labels(first: 20) { nodes { id name color } }
    comments(first: 20) { nodes { id databaseId body url createdAt author { login } } } } }
  pullRequests(first: 100, orderBy: { field: CREATED_AT, direction: DESC }) { nodes {
    id number title body state isDraft mergedAt url headRefName baseRefName
    author { login } } }
  releases(first: 20, orderBy: { field: CREATED_AT, direction: DESC }) { nodes {
    id databaseId tagName name description isDraft isPrerelease url createdAt publishedAt } }
  labels(first: 20) { nodes { id name color description isDefault } }
} }`

test('both APIs give equal values for a repository', async () => {
  const { rest, graphql } = await startSandbox()
  const viaGraphql = (await graphql(QUERY)).json.data?.repository as Json

  const repository = (await rest('GET', HELLO)).json
  expect(viaGraphql).toMatchObject({
    id: repository.node_id,
    name: repository.name,
    nameWithOwner: repository.full_name,
    isPrivate: repository.private,
    stargazerCount: repository.stargazers_count,
    forkCount: repository.forks_count,
    url: repository.html_url,
    description: repository.description,
    defaultBranchRef: { name: repository.default_branch },
  })

  const items = (await rest('GET', `${HELLO}/issues?state=all&per_page=100`)).json
  const comments = (await rest('GET', `${HELLO}/issues/2/comments`)).json
  const issues = items.map(item => item).filter(item => item.pull_request === undefined)
  expect(viaGraphql.issues?.nodes).toEqual(
    issues.map(issue => ({
      id: issue.node_id,
      number: issue.number,
      title: issue.title,
      body: issue.body ?? '',
      state: issue.state?.toUpperCase(),
      url: issue.html_url,
      createdAt: issue.created_at,
      updatedAt: issue.updated_at,
      closedAt: issue.closed_at,
      author: { login: issue.user?.login },
      labels: {
        nodes: issue.labels?.map(({ node_id: id, name, color }) => ({ id, name, color })),
      },
      comments: { nodes: Number(issue.number) === 2 ? comments.map(commentInGraphql) : [] },
    })),
  )

  const pulls = (await rest('GET', `${HELLO}/pulls?state=all&per_page=100`)).json
  expect(viaGraphql.pullRequests?.nodes).toEqual(pulls.map(pullInGraphql))
  const releases = (await rest('GET', `${HELLO}/releases`)).json
  expect(viaGraphql.releases?.nodes).toEqual(releases.map(releaseInGraphql))
  const labels = (await rest('GET', `${HELLO}/labels`)).json
  expect(viaGraphql.labels?.nodes).toEqual(
    labels.map(({ node_id: id, name, color, description, default: isDefault }) => ({
      id,
      name,
      color,
      description,
      isDefault,
    })),
  )
})

test('an issue created through one API is found through the other, and by its global id', async () => {
  const { rest, graphql } = await startSandbox()
  const made = (await rest('POST', `${HELLO}/issues`, { title: 'By REST' })).json
  const seen = await graphql(
    'query($id: ID!) { node(id: $id) { ... on Issue { number title } } }',
    {
      id: made.node_id,
    },
  )
  expect(seen.json.data?.node).toEqual({ number: made.number, title: 'By REST' })

  const repositoryId = (await rest('GET', HELLO)).json.node_id
  const { json } = await graphql(
    'mutation($input: CreateIssueInput!) { createIssue(input: $input) { issue { id number } } }',
    { input: { repositoryId, title: 'By GraphQL' } },
  )
  const issue = json.data?.createIssue?.issue
  const back = (await rest('GET', `${HELLO}/issues/${Number(issue?.number)}`)).json
  expect(back).toMatchObject({ node_id: issue?.id, title: 'By GraphQL' })
})

test('all times have second precision', async () => {
  const { rest } = await startSandbox({ now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) })
  const { json } = await rest('POST', `${HELLO}/issues`, { title: 'Now' })
  expect(json.created_at).toBe('2026-01-02T03:04:05Z')
})

function commentInGraphql(comment: Json) {
  return {
    id: comment.node_id,
    databaseId: comment.id,
    body: comment.body,
    url: comment.html_url,
    createdAt: comment.created_at,
    author: { login: comment.user?.login },
  }
}

function pullInGraphql(pull: Json) {
  return {
    id: pull.node_id,
    number: pull.number,
    title: pull.title,
    body: pull.body,
    state: pull.merged_at ? 'MERGED' : pull.state?.toUpperCase(),
    isDraft: pull.draft,
    mergedAt: pull.merged_at,
    url: pull.html_url,
    headRefName: pull.head?.ref,
    baseRefName: pull.base?.ref,
    author: { login: pull.user?.login },
  }
}

function releaseInGraphql(release: Json) {
  return {
    id: release.node_id,
    databaseId: release.id,
    tagName: release.tag_name,
    name: release.name,
    description: release.body,
    isDraft: release.draft,
    isPrerelease: release.prerelease,
    url: release.html_url,
    createdAt: release.created_at,
    publishedAt: release.published_at,
  }
}
