import { from, item, REPO, type Task } from './task.ts'

const PULL = { ...REPO, prNumber: 20 }

/** The peer's task: GitHub's own MCP server needs a call for each thread, twice. */
const answerThreads: Task = {
  name: 'answer and resolve all threads',
  words: 'review threads reply resolve',
  rounds: [
    () => [
      { id: 'threads', capability: 'pr.threads.list', input: PULL },
      {
        id: 'replies',
        capability: 'pr.threads.reply',
        for_each: from('threads', 'data.items'),
        input: { threadId: item('id'), body: 'Fixed.' },
      },
      {
        id: 'resolved',
        capability: 'pr.threads.resolve',
        for_each: from('threads', 'data.items'),
        needs: ['replies'],
        input: { threadId: item('id') },
      },
    ],
  ],
  outcome: async look => {
    const { items } = await look('pr.threads.list', { ...PULL, unresolvedOnly: false })
    const threads = items as { isResolved: boolean; comments: { body: string }[] }[]
    return threads
      .filter(({ comments }) => comments.at(-1)?.body === 'Fixed.')
      .map(({ isResolved }) => isResolved)
  },
  expected: [true, true],
}

const reviewPull: Task = {
  name: 'review with inline comments',
  words: 'pending review comments submit',
  rounds: [
    () => [
      { id: 'files', capability: 'pr.diff.files', input: PULL },
      { id: 'review', capability: 'pr.reviews.pending.create', input: PULL },
      {
        id: 'comments',
        capability: 'pr.reviews.pending.comments.add',
        for_each: from('files', 'data.items'),
        needs: ['review'],
        input: {
          ...PULL,
          path: item('path'),
          line: 1,
          body: item("join(' ', ['Why change', path])"),
        },
      },
      {
        id: 'submitted',
        capability: 'pr.reviews.pending.submit',
        needs: ['comments'],
        input: { ...PULL, event: 'COMMENT', body: 'Two questions.' },
      },
    ],
  ],
  outcome: async look => {
    const { items } = await look('pr.reviews.list', { ...PULL, first: 100 })
    const { items: threads } = await look('pr.threads.list', PULL)
    const { state, body } = items.at(-1)
    const questions = (threads as { comments: { body: string }[] }[])
      .map(({ comments }) => comments[0]?.body ?? '')
      .filter(text => text.startsWith('Why change'))
    return { state, body, questions }
  },
  expected: {
    state: 'COMMENTED',
    body: 'Two questions.',
    questions: ['Why change docs/change-20.md', 'Why change src/parts/part-20.ts'],
  },
}

const CHANGES = [
  { path: 'src/answer.ts', content: 'export const answer = 42\n' },
  { path: 'docs/answer.md', content: '# The answer\n' },
]
const openPull: Task = {
  name: 'open a pull request of several files',
  words: 'create branch commit files pull request',
  rounds: [
    () => [
      { id: 'branch', capability: 'repo.branch.create', input: { ...REPO, branch: 'the-answer' } },
      {
        id: 'commit',
        capability: 'repo.commit.create',
        input: {
          ...REPO,
          branch: from('branch', 'data.name'),
          message: 'Add the answer',
          changes: CHANGES,
        },
      },
      {
        id: 'pull',
        capability: 'pr.create',
        needs: ['commit'],
        input: {
          ...REPO,
          title: 'The answer',
          body: 'It is 42.',
          head: 'the-answer',
          base: 'main',
        },
      },
    ],
  ],
  outcome: async look => {
    const { items } = await look('pr.list', { ...REPO, first: 1 })
    const [{ number, title, headRefName }] = items
    const { items: files } = await look('pr.diff.files', { ...REPO, prNumber: number })
    return { title, headRefName, files: (files as { path: string }[]).map(({ path }) => path) }
  },
  expected: {
    title: 'The answer',
    headRefName: 'the-answer',
    files: ['docs/answer.md', 'src/answer.ts'],
  },
}

const FIX = [{ path: 'src/greet.ts', content: "export const greet = () => 'Hello'\n" }]
const fixCheck: Task = {
  name: 'fix a failing check',
  words: 'failed workflow run job log rerun commit',
  rounds: [
    () => [
      {
        id: 'runs',
        capability: 'workflow.runs.list',
        input: { ...REPO, status: 'failure', first: 1 },
      },
      {
        id: 'run',
        capability: 'workflow.run.view',
        input: { ...REPO, runId: from('runs', 'data.items[0].runId') },
      },
      {
        id: 'log',
        capability: 'workflow.job.logs.view',
        input: { ...REPO, jobId: from('run', "data.jobs[?conclusion == 'FAILURE'] | [0].jobId") },
      },
    ],
    ({ runs, log }) => [
      {
        id: 'fix',
        capability: 'repo.commit.create',
        input: {
          ...REPO,
          branch: runs.items[0].headBranch,
          message: `Fix ${log.summary.failedSteps[0].name}`,
          changes: FIX,
        },
      },
      {
        id: 'rerun',
        capability: 'workflow.run.rerun.failed',
        needs: ['fix'],
        input: { ...REPO, runId: runs.items[0].runId },
      },
    ],
  ],
  outcome: async look => {
    const file = { ...REPO, path: 'src/greet.ts', ref: 'topic-4' }
    const { content } = await look('repo.contents.view', file)
    const { items } = await look('repo.commits.list', { ...REPO, ref: 'topic-4', first: 1 })
    const { attempt } = await look('workflow.run.view', { ...REPO, runId: 1168 })
    return { content, message: items[0].message, attempt }
  },
  expected: { content: FIX[0]?.content, message: 'Fix Run npm run test', attempt: 2 },
}

export const PULL_REQUEST_TASKS = [answerThreads, reviewPull, openPull, fixCheck]
