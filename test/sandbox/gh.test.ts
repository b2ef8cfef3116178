import { describe, expect, test } from 'vitest'
import { gh as program } from '../support/parts.ts'
import { startGh } from './gh.ts'

const REPO = 'octo-org/hello-world'
const PAGES = `query($endCursor: String) {
  repository(owner: "octo-org", name: "hello-world") {
    issues(first: 12, after: $endCursor) { nodes { number } pageInfo { hasNextPage endCursor } }
  }
}`

/** A command, and a part of its expected output. */
const commands: [command: string[], prints: string][] = [
  [['auth', 'status'], 'Logged in to github.com'],
  [['repo', 'view', REPO], 'My first repository on the sandbox!'],
  [
    ['repo', 'view', REPO, '--json=nameWithOwner,isPrivate,stargazerCount,defaultBranchRef'],
    '"stargazerCount":42',
  ],
  [['repo', 'view', 'octo-org/secret-plans', '--json=isPrivate'], '{"isPrivate":true}'],
  [['repo', 'list', 'octo-org'], 'octo-org/attic\t\tpublic, archived'],
  [['issue', 'list'], '38\tOPEN\tIssue number 38'],
  [['issue', 'list', '--state=all', '--limit=100', '--json=number', '--jq=length'], '30'],
  [['issue', 'list', '--label=bug', '--json=number', '--jq=map(.number)'], '[35,25,10,5]'],
  [['issue', 'list', '--search=number 37 in:title'], '37\tOPEN\tIssue number 37'],
  [['issue', 'list', '--author=octocat', '--assignee=hubot', '--json=number'], '[{"number":1}]'],
  [['issue', 'list', '--milestone=v1.0', '--json=number'], '[{"number":1}]'],
  [['pr', 'checks', '20'], 'Code scan\tskipping\t1h0m0s\thttps://scan.example.test/20'],
  [['run', 'list', '--json=conclusion,workflowName', '--limit=1'], '"workflowName":"Release"'],
  [['workflow', 'list', '--all'], 'Nightly\tdisabled_manually'],
  [['workflow', 'view', 'CI'], 'Total runs 6'],
  [['workflow', 'run', 'release.yml', '--raw-field=environment=staging'], ''],
  [['issue', 'status'], 'Issues assigned to you'],
  [['issue', 'view', '1'], 'title:\tIssue number 1'],
  [['issue', 'view', '2', '--comments'], 'Comment 14 on a busy issue.'],
  [
    ['issue', 'view', '1', '--json=state,labels,assignees,milestone,comments,projectCards'],
    '"state":"OPEN"',
  ],
  [['issue', 'create', '--title=New', '--body=Text'], `https://github.com/${REPO}/issues/41`],
  [
    [
      'issue',
      'create',
      '--title=New',
      '--body=',
      '--label=bug',
      '--assignee=@me',
      '--milestone=v1.0',
    ],
    `https://github.com/${REPO}/issues/41`,
  ],
  [['issue', 'close', '1', '--reason=not planned'], '(Issue number 1)'],
  [['issue', 'reopen', '3'], '(Issue number 3)'],
  [['issue', 'comment', '1', '--body=Seen.'], `https://github.com/${REPO}/issues/1#issuecomment-`],
  [
    ['issue', 'edit', '1', '--title=Better', '--add-label=bug', '--remove-label=question'],
    `https://github.com/${REPO}/issues/1`,
  ],
  [['pr', 'list'], '36\tChange number 36\ttopic-36\tOPEN'],
  [
    ['pr', 'list', '--state=merged', '--json=number,mergedAt,mergedBy', '--jq=map(.number)'],
    '[32,16]',
  ],
  [['pr', 'view', '4'], 'title:\tChange number 4'],
  [['pr', 'view', '4', '--comments'], 'Looks good.'],
  [
    [
      'pr',
      'view',
      '8',
      '--json=isDraft,mergeable,mergeStateStatus,reviewDecision,statusCheckRollup',
    ],
    '"mergeStateStatus":"DRAFT"',
  ],
  [['pr', 'close', '4'], '(Change number 4)'],
  [['pr', 'comment', '4', '--body=Hm.'], `https://github.com/${REPO}/pull/4#issuecomment-`],
  [
    ['pr', 'view', '20', '--json=latestReviews,reviewDecision,reviewRequests,reviews'],
    '"reviewDecision":"APPROVED"',
  ],
  [['pr', 'review', '4', '--approve', '--body=Good.'], ''],
  [['pr', 'edit', '4', '--add-reviewer=octocat'], `https://github.com/${REPO}/pull/4`],
  [
    ['release', 'create', 'v2.0.0', '--draft', '--notes=Two'],
    `https://github.com/${REPO}/releases/tag/untagged-`,
  ],
  [
    ['release', 'create', 'v3.0.0', '--title=Three', '--notes=', '--target=topic-4'],
    `https://github.com/${REPO}/releases/tag/v3.0.0`,
  ],
  [['release', 'list'], 'Version 0.8\tLatest\tv0.8.0'],
  [['release', 'view'], 'tag:\tv0.8.0'],
  [['release', 'view', 'v0.2.0', '--json=name,isDraft,publishedAt'], '"name":"Version 0.2"'],
  [['label', 'list'], "bug\tSomething isn't working\t#d73a4a"],
  [['search', 'issues', 'busy', `--repo=${REPO}`, '--match=title'], ''],
  [['search', 'prs', 'Change', '--merged', '--json=number', '--jq=map(.number)'], '[32,16]'],
  [['api', 'user', '--jq=.login'], 'octocat'],
  [
    ['api', '--method=POST', `repos/${REPO}/issues`, '--raw-field=title=By api', '--jq=.number'],
    '41',
  ],
  [
    ['api', '--paginate', `repos/${REPO}/issues?state=all&per_page=15`, '--jq=length'],
    '15\n15\n10\n',
  ],
  [
    ['api', 'graphql', '--raw-field=query={ viewer { login } }'],
    '{"data":{"viewer":{"login":"octocat"}}}',
  ],
  [
    [
      'api',
      'graphql',
      '--paginate',
      `--raw-field=query=${PAGES}`,
      '--jq=.data.repository.issues.nodes | length',
    ],
    '12\n12\n6\n',
  ],
  [
    ['api', 'graphql', '--raw-field=query={ __type(name: "Issue") { fields { name } } }'],
    '"stateReason"',
  ],
]

const refusals: [command: string[], code: number, prints: string][] = [
  [
    ['repo', 'view', 'mallory/hidden'],
    1,
    "Could not resolve to a Repository with the name 'mallory/hidden'.",
  ],
  [
    ['issue', 'view', '99'],
    1,
    'Could not resolve to an issue or pull request with the number of 99.',
  ],
  [
    ['issue', 'create', '--title=x', '--body=', '--repo=octo-org/no-issues'],
    1,
    "the 'octo-org/no-issues' repository has disabled issues",
  ],
  [
    ['issue', 'comment', '1', '--body=x', '--repo=octo-org/attic'],
    1,
    'Repository was archived so is read-only.',
  ],
  [['pr', 'checks', '28'], 1, "no checks reported on the 'topic-28' branch"],
  [['workflow', 'run', 'ci.yml'], 1, "Workflow does not have 'workflow_dispatch' trigger"],
  [['api', 'repos/octo-org/none'], 1, 'gh: Not Found (HTTP 404)'],
  [['api', '--method=POST', `repos/${REPO}/issues`], 1, 'gh: Invalid request.'],
  [['api', 'user', '--header=Authorization: token wrong'], 1, 'gh: Bad credentials (HTTP 401)'],
]

describe.skipIf(!program.available)('the real gh', () => {
  test.concurrent.each(commands)('%j succeeds', async (command, prints) => {
    await using gh = await startGh()
    const { code, stdout, stderr } = await gh.run(...command)
    expect(`${stdout}${stderr}`).toContain(prints)
    expect(code).toBe(0)
  })

  test.each(refusals)('%j is refused', async (command, code, prints) => {
    await using gh = await startGh()
    const result = await gh.run(...command)
    expect(result.stderr).toContain(prints)
    expect(result.code).toBe(code)
  })

  test('a change by gh appears in the store, and its requests in the log', async () => {
    await using gh = await startGh()
    const { sandbox } = gh
    await gh.run('issue', 'create', '--title=By gh', '--body=', '--label=bug')
    const issue = sandbox.store.repositories.find('octo-org', 'hello-world')?.items.get(41)
    expect(issue).toMatchObject({ title: 'By gh', labels: [{ name: 'bug' }], body: null })
    const writes = sandbox.log.rows().filter(row => row.applied)
    expect(writes).toMatchObject([{ via: 'socket', route: 'graphql', operation: 'IssueCreate' }])
  })

  test('gh views, reruns and cancels a failed run', async () => {
    await using gh = await startGh()
    const { store } = gh.sandbox
    const run = store.workflowRuns.all().find(it => it.suite.headBranch === 'topic-4')
    const id = String(run?.databaseId)
    const failed = await gh.run('pr', 'checks', '4')
    expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('test\tfail\t2m0s')])
    const view = await gh.run('run', 'view', id)
    expect(view.stdout).toContain('  X Run npm run test')
    expect((await gh.run('run', 'rerun', id, '--failed')).code).toBe(0)
    expect(run?.attempt).toBe(2)
    const again = await gh.run('run', 'rerun', id)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('cannot be rerun')])
    expect((await gh.run('run', 'cancel', id)).code).toBe(0)
    expect(run?.suite.progress).toEqual({ status: 'completed', conclusion: 'cancelled' })
  })

  test('faults affect gh too', async () => {
    await using gh = await startGh()
    const { sandbox } = gh
    sandbox.faults.set([
      { on: { operation: 'IssueCreate' }, do: { reset: 'after' } },
      { on: { path: '^/user$' }, do: { rate_limit: 'primary' } },
    ])
    const cut = await gh.run('issue', 'create', '--title=Made', '--body=')
    expect([cut.code, cut.stderr]).toEqual([1, expect.stringContaining('EOF')])
    const limited = await gh.run('api', 'user')
    expect([limited.code, limited.stderr]).toEqual([1, expect.stringContaining('(HTTP 403)')])
    expect(sandbox.store.repositories.find('octo-org', 'hello-world')?.items.get(41)).toBeDefined()
  })
})
