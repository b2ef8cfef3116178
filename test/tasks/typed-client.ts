import { type Client, createClient, type GithubCapabilities, unwrap } from '../../client/client.ts'
import { createMeter, type Play } from './doors.ts'
import { type Found, REPO } from './task.ts'

type Github = Client<GithubCapabilities>

const PULL = { ...REPO, prNumber: 20 }
const ISSUE = { ...REPO, issueNumber: 35 }
const FORUM = { owner: 'the-hyphen', name: '404' }

/** The tasks as a programmer would write them: the program decides between the calls. */
const PROGRAMS: Readonly<Record<string, (client: Github) => Promise<Found>>> = {
  'answer and resolve all threads': async client => {
    const done = await client.batch(plan => {
      const threads = plan.call('pr.threads.list', PULL)
      const items = threads.data.items
      const reply = (id: (typeof items)[0]['id']) => ({ threadId: id, body: 'Fixed.' })
      const replies = plan.each('pr.threads.reply', items, ({ id }) => reply(id))
      const needs = { needs: [replies] }
      const resolved = plan.each('pr.threads.resolve', items, ({ id }) => ({ threadId: id }), needs)
      return { threads, replies, resolved }
    })
    return hold(done)
  },
  'review with inline comments': async client => {
    const { items } = await unwrap(client.call('pr.diff.files', PULL))
    const comments = items.map(({ path }) => ({ path, line: 1, body: `Why change ${path}` }))
    const review = { ...PULL, event: 'COMMENT', body: 'Two questions.', comments } as const
    return { review: await unwrap(client.call('pr.reviews.submit', review)) }
  },
  'open a pull request of several files': async client => {
    const branch = 'the-answer'
    await unwrap(client.call('repo.branch.create', { ...REPO, branch }))
    const changes = [
      { path: 'src/answer.ts', content: 'export const answer = 42\n' },
      { path: 'docs/answer.md', content: '# The answer\n' },
    ]
    const commit = { ...REPO, branch, message: 'Add the answer', changes }
    await unwrap(client.call('repo.commit.create', commit))
    const pull = { ...REPO, title: 'The answer', body: 'It is 42.', head: branch, base: 'main' }
    return { pull: await unwrap(client.call('pr.create', pull)) }
  },
  'fix a failing check': async client => {
    const failed = { ...REPO, status: 'failure', first: 1 } as const
    const [run] = (await unwrap(client.call('workflow.runs.list', failed))).items
    if (!run?.headBranch) return {}
    const { runId, headBranch: branch } = run
    const { jobs } = await unwrap(client.call('workflow.run.view', { ...REPO, runId }))
    const { jobId = 0 } = jobs.find(({ conclusion }) => conclusion === 'FAILURE') ?? {}
    const { summary } = await unwrap(client.call('workflow.job.logs.view', { ...REPO, jobId }))
    const message = `Fix ${summary.failedSteps[0]?.name}`
    const content = "export const greet = () => 'Hello'\n"
    const changes = [{ path: 'src/greet.ts', content }]
    await unwrap(client.call('repo.commit.create', { ...REPO, branch, message, changes }))
    return { rerun: await unwrap(client.call('workflow.run.rerun.failed', { ...REPO, runId })) }
  },
  'triage an issue': async client => {
    const done = await client.batch(plan => ({
      labels: plan.call('issue.labels.add', { ...ISSUE, labels: ['question'] }),
      owner: plan.call('issue.assignees.add', { ...ISSUE, assignees: ['hubot'] }),
      comment: plan.call('issue.comments.create', { ...ISSUE, body: 'Which version is it?' }),
    }))
    return hold(done)
  },
  'release with notes': async client => {
    const { items } = await unwrap(client.call('repo.commits.list', { ...REPO, first: 3 }))
    const notes = items.map(({ message }) => message).join(', ')
    const release = { ...REPO, tagName: 'v1.1.0', title: '1.1', notes }
    const { id: releaseId } = await unwrap(client.call('release.create', release))
    return { release: await unwrap(client.call('release.publish', { ...REPO, releaseId })) }
  },
  'rename a label everywhere': async client => {
    const query = 'repo:octo-org/hello-world label:question'
    const done = await client.batch(plan => {
      const old = plan.call('search.issues', { query, first: 100 })
      const label = { ...REPO, label: 'support', color: 'd876e3' }
      const needs = { needs: [plan.call('repo.labels.create', label)] }
      const added = plan.each(
        'issue.labels.add',
        old.data.items,
        ({ number }) => ({ ...REPO, issueNumber: number, labels: ['support'] }),
        needs,
      )
      const removed = plan.each(
        'issue.labels.remove',
        old.data.items,
        ({ number }) => ({ ...REPO, issueNumber: number, labels: ['question'] }),
        { needs: [added] },
      )
      return { old, added, removed }
    })
    return hold(done)
  },
  'find who changed a line': async client => ({
    blame: await unwrap(client.call('repo.blame.view', { ...REPO, path: 'README.md' })),
  }),
  'close stale issues': async client => {
    const oldest = { ...REPO, sort: 'updated', direction: 'asc', first: 3 } as const
    const done = await client.batch(plan => {
      const stale = plan.call('issue.list', oldest)
      const body = 'Closed, as nobody needs it.'
      const { items } = stale.data
      const comments = plan.each('issue.comments.create', items, ({ number }) => ({
        ...REPO,
        issueNumber: number,
        body,
      }))
      const closed = plan.each(
        'issue.close',
        items,
        ({ number }) => ({ ...REPO, issueNumber: number }),
        { needs: [comments] },
      )
      return { stale, comments, closed }
    })
    return hold(done)
  },
  'answer a discussion': async client => {
    const open = await unwrap(client.call('discussion.list', { ...FORUM, answered: false }))
    // Only some categories have answers.
    const { number = 0 } = open.items.find(({ isAnswered }) => isAnswered === false) ?? {}
    const one = { ...FORUM, discussionNumber: number }
    const { id } = await unwrap(client.call('discussion.comments.create', { ...one, body: '42.' }))
    await unwrap(client.call('discussion.answer.set', { ...one, commentId: id }))
    return { open }
  },
}

type Outcome = Awaited<ReturnType<Github['batch']>>

/** The data of every step. @throws if one failed */
function hold(outcome: Outcome): Found {
  if (!outcome.ok) throw new Error(outcome.error.message)
  const entries = Object.entries(outcome.results).map(([name, result]) => {
    const all = [result].flat()
    const failed = all.find(({ ok }) => !ok)
    if (failed && !failed.ok) throw new Error(`${name}: ${failed.error.message}`)
    return [name, all[0]?.data] as const
  })
  return Object.fromEntries(entries)
}

export const playClient: Play = async (url, { name }) => {
  const meter = createMeter()
  const client = createClient({
    url,
    fetch: async (address, init) => {
      const response = await fetch(address, init)
      const text = await response.clone().text()
      meter.count.calls += 1
      meter.weigh(typeof init?.body === 'string' ? init.body : '', text)
      return response
    },
  })
  const found = (await PROGRAMS[name]?.(client)) ?? {}
  return { found, effort: meter.effort() }
}
