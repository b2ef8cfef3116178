/** Queries in words of people, and names of tools of GitHub's own MCP server, at every door that searches. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway[Symbol.asyncDispose]())

async function post(path: string, body: object) {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const sent = { method: 'POST', headers, body: JSON.stringify(body) }
  // oxlint-disable-next-line typescript/no-explicit-any -- the form of the answer depends on the door
  return (await (await fetch(`${gateway.url}${path}`, sent)).json()) as any
}

async function callTool(name: string, args: object) {
  const params = { name, arguments: args }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const { result } = await post('/mcp?tools=search', message)
  return JSON.parse(result.content[0].text)
}

const FINDERS: Readonly<Record<string, (query: string) => Promise<readonly string[]>>> = {
  async 'GET /v1/capabilities?q='(query) {
    const { body } = await gateway.get(`/v1/capabilities?q=${encodeURIComponent(query)}`)
    return body.data.items.map(({ id }: { id: string }) => id)
  },
  async 'search of MCP'(query) {
    const { capabilities } = await callTool('search', { query, limit: 3 })
    return capabilities.map(({ id }: { id: string }) => id)
  },
}

const QUERIES: readonly (readonly [query: string, id: string])[] = [
  ['approve pull request', 'pr.reviews.submit'],
  ['approve a PR', 'pr.reviews.submit'],
  ['latest release', 'release.view'],
  ['ready for review', 'pr.update'],
  ['mark pull request ready for review', 'pr.update'],
  ['who changed this line', 'repo.blame.view'],
  ['read README', 'repo.contents.view'],
  ['read file', 'repo.contents.view'],
  ['comment on an issue', 'issue.comments.create'],
  ['comment on pull request', 'pr.comments.create'],
  ['issues', 'issue.list'],
  ['labels', 'repo.labels.list'],
  ['releases', 'release.list'],
  ['commits', 'repo.commits.list'],
  ['repositories', 'repo.list'],
  ['repos', 'repo.list'],
  ['gists', 'gist.list'],
  ['files changed in pull request', 'pr.diff.files'],
  ['pull request diff', 'pr.diff.view'],
  ['request changes', 'pr.reviews.submit'],
  ['request reviewers', 'pr.reviews.request'],
  ['assign issue', 'issue.assignees.add'],
  ['add labels to issue', 'issue.labels.add'],
  ['close pull request', 'pr.close'],
  ['reopen issue', 'issue.reopen'],
  ['create branch', 'repo.branch.create'],
  ['tags', 'repo.tags.list'],
  ['rerun failed jobs', 'workflow.run.rerun.failed'],
  ['workflow runs', 'workflow.runs.list'],
  ['cancel workflow', 'workflow.run.cancel'],
  ['search users', 'search.users'],
  ['star a repository', 'repo.star'],
  ['mark notification as read', 'notifications.thread.read'],
  ['edit file', 'repo.contents.put'],
  ['push files', 'repo.commit.create'],
  ['fork', 'repo.fork'],
  ['resolve conversation', 'pr.threads.resolve'],
  ['convert to draft', 'pr.update'],
  ['request changes on a pull request', 'pr.reviews.submit'],
  ['open issues', 'issue.list'],
  ['my repositories', 'repo.list'],
  ['package versions', 'package.versions.list'],
  ['commit statuses', 'repo.commit.statuses.list'],
  ['webhooks', 'repo.webhooks.list'],
  ['milestones', 'repo.milestones.list'],
  ['environments', 'repo.environments.list'],
  ['secret scanning alerts', 'repo.secret_scanning.alerts.list'],
  ['reviews', 'pr.reviews.list'],
  ['pull requests', 'pr.list'],
  ['list pull requests', 'pr.list'],
  ['list prs', 'pr.list'],
  ['PRs', 'pr.list'],
  ['list pr', 'pr.list'],
  ['pull request', 'pr.list'],
  ['who am I', 'viewer.view'],
  ['rename label', 'repo.labels.update'],
  ['failing checks', 'pr.checks.list'],
  ['reply to review thread', 'pr.threads.reply'],
  // Tools of GitHub's own MCP server.
  ['list_issues', 'issue.list'],
  ['create_pull_request', 'pr.create'],
  ['update_pull_request', 'pr.update'],
  ['list_branches', 'repo.branches.list'],
  ['list_tags', 'repo.tags.list'],
  ['list_releases', 'release.list'],
  ['get_latest_release', 'release.view'],
  ['search_issues', 'search.issues'],
  ['search_pull_requests', 'search.issues'],
  ['search_repositories', 'search.repos'],
  ['search_users', 'search.users'],
  ['add_issue_comment', 'issue.comments.create'],
  ['create_or_update_file', 'repo.contents.put'],
  ['create_branch', 'repo.branch.create'],
  ['get_commit', 'repo.commit.view'],
  ['list_notifications', 'notifications.list'],
  ['list_gists', 'gist.list'],
  ['get_job_logs', 'workflow.job.logs.view'],
  ['list_workflow_runs', 'workflow.runs.list'],
  ['run_workflow', 'workflow.dispatch'],
  ['request_copilot_review', 'pr.reviews.request'],
  ['pull_request_review_write', 'pr.reviews.submit'],
  ['add_comment_to_pending_review', 'pr.reviews.pending.comments.add'],
  ['update_pull_request_branch', 'pr.branch.update'],
  ['fork_repository', 'repo.fork'],
  ['create_repository', 'repo.create'],
  ['star_repository', 'repo.star'],
  ['list_discussions', 'discussion.list'],
  ['list_code_scanning_alerts', 'repo.code_scanning.alerts.list'],
  ['list_label', 'repo.labels.list'],
  ['push_files', 'repo.commit.create'],
  ['search_commits', 'repo.commits.list'],
  ['delete_file', 'repo.contents.delete'],
  ['update_issue', 'issue.update'],
  ['create_issue', 'issue.create'],
  ['list_workflows', 'workflow.list'],
  ['cancel_workflow_run', 'workflow.run.cancel'],
  ['rerun_failed_jobs', 'workflow.run.rerun.failed'],
  ['get_workflow_run', 'workflow.run.view'],
  ['get_release_by_tag', 'release.view'],
  ['issue_write', 'issue.create'],
  ['get_issue_comments', 'issue.comments.list'],
  ['get_pull_request_diff', 'pr.diff.view'],
  ['get_pull_request_files', 'pr.diff.files'],
  ['get_pull_request_reviews', 'pr.reviews.list'],
  ['get_pull_request_status', 'pr.checks.list'],
  ['create_and_submit_pull_request_review', 'pr.reviews.submit'],
  ['assign_copilot_to_issue', 'issue.assignees.add'],
  ['get_dependabot_alert', 'repo.dependabot.alert.view'],
  ['list_dependabot_alerts', 'repo.dependabot.alerts.list'],
  ['get_code_scanning_alert', 'repo.code_scanning.alert.view'],
  ['get_discussion', 'discussion.view'],
  ['get_discussion_comments', 'discussion.comments.list'],
  ['list_discussion_categories', 'discussion.categories.list'],
  ['create_gist', 'gist.create'],
  ['get_tag', 'repo.tag.view'],
  ['dismiss_notification', 'notifications.thread.done'],
  ['mark_all_notifications_read', 'notifications.read_all'],
  ['list_starred_repositories', 'viewer.starred.list'],
  ['unstar_repository', 'repo.unstar'],
  ['get_repository_tree', 'repo.tree.list'],
  ['sub_issue_write', 'issue.relations.parent.set'],
  ['list_pull_requests', 'pr.list'],
  ['merge_pull_request', 'pr.merge'],
  ['get_file_contents', 'repo.contents.view'],
  ['list_commits', 'repo.commits.list'],
  ['get_me', 'viewer.view'],
  ['search_code', 'search.code'],
  ['pull_request_read', 'pr.view'],
  ['issue_read', 'issue.view'],
]

describe.each(Object.entries(FINDERS))('%s', (_door, find) => {
  test.each(QUERIES)('has for "%s" among the first three %s', async (query, id) => {
    expect((await find(query)).slice(0, 3)).toContain(id)
  })
})

/** Messages in which each door refuses an unknown id. */
const REFUSALS: Readonly<Record<string, (id: string) => Promise<string>>> = {
  'a call over HTTP': async id => (await gateway.call(id, {})).body.error.message,
  'GET of a card': async id => (await gateway.get(`/v1/capabilities/${id}`)).body.error.message,
  async 'a call in a batch'(id) {
    const { data } = await post('/v1/batch', { calls: [{ capability: id, input: {} }] })
    return data.results[0].envelope.error.message
  },
  'call of MCP': async id => (await callTool('call', { capability: id, input: {} })).error.message,
  'an unknown tool of MCP': async id => (await callTool(id.replaceAll('.', '_'), {})).error.message,
}

const SLIPS: readonly (readonly [unknown: string, id: string])[] = [
  ['prs.list', 'pr.list'],
  ['pr.lst', 'pr.list'],
  ['pr.veiw', 'pr.view'],
  ['pr.mrege', 'pr.merge'],
  ['pr.cloes', 'pr.close'],
  ['issue.veiw', 'issue.view'],
  ['issue.craete', 'issue.create'],
  ['issue.lsit', 'issue.list'],
  ['isuse.view', 'issue.view'],
  ['repo.veiw', 'repo.view'],
  ['repo.frok', 'repo.fork'],
  ['release.veiw', 'release.view'],
  ['gist.veiw', 'gist.view'],
  ['list_pull_requests', 'pr.list'],
  ['issues.view', 'issue.view'],
]

describe.each(Object.entries(REFUSALS))('%s', (_door, refuse) => {
  test.each(SLIPS)('for %s first suggests %s', async (unknown, id) => {
    expect(await refuse(unknown)).toMatch(new RegExp(`Did you mean ${id.replace('.', '[._]')}[,?]`))
  })
})
