import { type Data, from, item, REPO, type Task } from './task.ts'

const ISSUE = { ...REPO, issueNumber: 35 }

const triage: Task = {
  name: 'triage an issue',
  words: 'issue label assign comment',
  rounds: [
    () => [
      { id: 'labels', capability: 'issue.labels.add', input: { ...ISSUE, labels: ['question'] } },
      { id: 'owner', capability: 'issue.assignees.add', input: { ...ISSUE, assignees: ['hubot'] } },
      {
        id: 'comment',
        capability: 'issue.comments.create',
        input: { ...ISSUE, body: 'Which version is it?' },
      },
    ],
  ],
  outcome: async look => {
    const { labels, assignees } = await look('issue.view', ISSUE)
    const { items } = await look('issue.comments.list', { ...ISSUE, first: 100 })
    return { labels, assignees, comment: items.at(-1).body }
  },
  expected: {
    labels: ['bug', 'question'],
    assignees: ['hubot'],
    comment: 'Which version is it?',
  },
}

const release: Task = {
  name: 'release with notes',
  words: 'list commits create release notes',
  rounds: [
    () => [
      { id: 'commits', capability: 'repo.commits.list', input: { ...REPO, first: 3 } },
      {
        id: 'release',
        capability: 'release.create',
        input: {
          ...REPO,
          tagName: 'v1.1.0',
          title: '1.1',
          notes: from('commits', "join(', ', data.items[].message)"),
        },
      },
      {
        id: 'published',
        capability: 'release.publish',
        input: { ...REPO, releaseId: from('release', 'data.id') },
      },
    ],
  ],
  outcome: async look => {
    const { tagName, notes, name } = await look('release.view', { ...REPO, tagName: 'v1.1.0' })
    return { tagName, name, notes }
  },
  expected: {
    tagName: 'v1.1.0',
    name: '1.1',
    notes: 'Release v1.0.0-rc.1, Release v0.8.0, Release v0.7.0',
  },
}

const labelled = (label: string) => ({
  query: `repo:octo-org/hello-world label:${label}`,
  first: 100,
})
/** Issues and pull requests. */
const renameLabel: Task = {
  name: 'rename a label everywhere',
  words: 'labels search issues add remove',
  rounds: [
    () => [
      { id: 'old', capability: 'search.issues', input: labelled('question') },
      {
        id: 'new',
        capability: 'repo.labels.create',
        input: { ...REPO, label: 'support', color: 'd876e3' },
      },
      {
        id: 'added',
        capability: 'issue.labels.add',
        for_each: from('old', 'data.items'),
        needs: ['new'],
        input: { ...REPO, issueNumber: item('number'), labels: ['support'] },
      },
      {
        id: 'removed',
        capability: 'issue.labels.remove',
        for_each: from('old', 'data.items'),
        needs: ['added'],
        input: { ...REPO, issueNumber: item('number'), labels: ['question'] },
      },
    ],
  ],
  outcome: async look => {
    const { totalCount: left } = await look('search.issues', labelled('question'))
    const { items } = await look('search.issues', labelled('support'))
    const numbers = (items as { number: number }[]).map(({ number }) => number)
    return { left, numbers: numbers.toSorted((a, b) => a - b) }
  },
  expected: { left: 0, numbers: [1, 6, 11, 16, 21, 26, 31, 36] },
}

const blame: Task = {
  name: 'find who changed a line',
  words: 'blame line of file',
  rounds: [
    () => [{ id: 'blame', capability: 'repo.blame.view', input: { ...REPO, path: 'README.md' } }],
  ],
  outcome: async (_look, { blame: { ranges } }) => {
    const found = (ranges as { startLine: number; endLine: number; commit: Data }[]).find(
      ({ startLine, endLine }) => startLine <= 2 && 2 <= endLine,
    )
    const { sha, message, author } = found?.commit ?? {}
    return { sha, message, author: author.name }
  },
  expected: {
    sha: '4f63a183c9b5ed2d7ec0a607e3e1aac4a7eb937f',
    message: 'Initial commit',
    author: 'Octo Org',
  },
}

const STALE = { ...REPO, sort: 'updated', direction: 'asc', first: 3 }
const closeStale: Task = {
  name: 'close stale issues',
  words: 'list issues comment close',
  rounds: [
    () => [
      { id: 'stale', capability: 'issue.list', input: STALE },
      {
        id: 'comments',
        capability: 'issue.comments.create',
        for_each: from('stale', 'data.items'),
        input: { ...REPO, issueNumber: item('number'), body: 'Closed, as nobody needs it.' },
      },
      {
        id: 'closed',
        capability: 'issue.close',
        for_each: from('stale', 'data.items'),
        needs: ['comments'],
        input: { ...REPO, issueNumber: item('number') },
      },
    ],
  ],
  outcome: async look => {
    const closed = await look('issue.list', { ...REPO, state: 'closed', sort: 'updated', first: 3 })
    const numbers = (closed.items as { number: number }[]).map(({ number }) => number)
    const [issueNumber] = numbers
    const { items } = await look('issue.comments.list', { ...REPO, issueNumber, first: 100 })
    return { numbers: numbers.toSorted((a, b) => a - b), comment: items.at(-1).body }
  },
  expected: { numbers: [1, 5, 7], comment: 'Closed, as nobody needs it.' },
}

const FORUM = { owner: 'the-hyphen', name: '404' }
/** Only some categories have answers. */
const UNANSWERED = 'data.items[?isAnswered == `false`] | [0].number'
const answerDiscussion: Task = {
  name: 'answer a discussion',
  words: 'discussion comment answer',
  rounds: [
    () => [
      { id: 'open', capability: 'discussion.list', input: { ...FORUM, answered: false } },
      {
        id: 'comment',
        capability: 'discussion.comments.create',
        input: { ...FORUM, discussionNumber: from('open', UNANSWERED), body: '42.' },
      },
      {
        id: 'answer',
        capability: 'discussion.answer.set',
        input: {
          ...FORUM,
          discussionNumber: from('open', UNANSWERED),
          commentId: from('comment', 'data.id'),
        },
      },
    ],
  ],
  outcome: async (look, { open }) => {
    const { number } = open.items.find(({ isAnswered }: Data) => isAnswered === false)
    const { answer } = await look('discussion.view', { ...FORUM, discussionNumber: number })
    return answer?.body
  },
  expected: '42.',
}

export const ISSUE_TASKS = [triage, release, renameLabel, blame, closeStale, answerDiscussion]
