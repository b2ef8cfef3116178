import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FaultMatch, PullRequest, Repository } from '../../sandbox/index.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { gh } from '../support/parts.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }

describe('what a write made is found again when its answer is lost', () => {
  let gateway: TestGateway
  // A gateway that remembers writes would take an id that a reset sandbox gives again for that of another write.
  beforeEach(async () => {
    gateway = await startTestGateway()
  })
  afterEach(() => gateway[Symbol.asyncDispose]())

  const hello = () =>
    gateway.sandbox.store.repositories.find('octo-org', 'hello-world') as Repository
  const pull = (number: number) => hello().items.get(number) as PullRequest
  const loseAnswers = (on: { route: 'rest' | 'graphql'; method?: string; operation?: string }) =>
    gateway.sandbox.faults.set([{ on, do: { reset: 'after' } }])

  test('a review', async () => {
    loseAnswers({ route: 'rest', method: 'POST' })
    const input = { ...repo, prNumber: 4, event: 'REQUEST_CHANGES', body: 'Not yet.' }
    const { body } = await gateway.call('pr.reviews.submit', input)
    expect(pull(4).reviews).toHaveLength(1)
    expect(body).toMatchObject({ ok: true, meta: { reason: 'RECOVERED' } })
    expect(body.data).toEqual({
      id: pull(4).reviews[0]?.nodeId,
      state: 'CHANGES_REQUESTED',
      url: expect.stringContaining('#pullrequestreview-'),
      body: 'Not yet.',
    })
  })

  test.each([
    ['an issue', 'issue.comments.create', { issueNumber: 1 }],
    ['a pull request', 'pr.comments.create', { prNumber: 4 }],
  ])('a comment on %s', async (_on, capability, target) => {
    loseAnswers({ route: 'rest', method: 'POST' })
    const { body } = await gateway.call(capability, { ...repo, ...target, body: 'Said once.' })
    const said = [...hello().items.values()].flatMap(({ comments }) => comments)
    const made = said.filter(comment => comment.body === 'Said once.')
    expect(made).toHaveLength(1)
    expect(body).toMatchObject({ ok: true, meta: { reason: 'RECOVERED' } })
    expect(body.data).toMatchObject({ id: made[0]?.nodeId, body: 'Said once.' })
  })

  test('a reply', async () => {
    loseAnswers({ route: 'graphql', operation: 'ThreadReply' })
    const [, thread] = pull(20).threads
    const input = { threadId: thread?.nodeId, body: 'I see.' }
    const { body } = await gateway.call('pr.threads.reply', input)
    expect(thread?.comments).toHaveLength(2)
    expect(body).toMatchObject({ ok: true, meta: { reason: 'RECOVERED' } })
    expect(body.data).toEqual({
      id: thread?.nodeId,
      isResolved: true,
      commentId: thread?.comments[1]?.nodeId,
      commentUrl: expect.stringContaining('#discussion_r'),
    })
  })

  test('a draft release', async () => {
    loseAnswers({ route: 'rest', method: 'POST' })
    const { body } = await gateway.call('release.create', { ...repo, tagName: 'v2', title: 'Two' })
    const made = hello().releases.filter(release => release.tagName === 'v2')
    expect(made).toHaveLength(1)
    expect(body).toMatchObject({ ok: true, meta: { reason: 'RECOVERED' } })
    expect(body.data).toMatchObject({ id: made[0]?.databaseId, isDraft: true, name: 'Two' })
    expect(Object.keys(body.data)).toHaveLength(9)
  })

  const author = () => {
    const [first] = gateway.sandbox.store.accounts.all()
    if (first?.kind !== 'User') throw new Error('the seed begins with a user')
    return first
  }
  const addReviews = (number: number, createdAt = date) => {
    for (let count = 0; count < number; count += 1) {
      const fields = { event: 'COMMENT', body: 'Old.', createdAt: createdAt(count) } as const
      gateway.sandbox.store.reviews.add(pull(4), { ...fields, author: author() })
    }
  }

  test('among more reviews of these minutes than the gateway reads, nothing is claimed', async () => {
    addReviews(1000, () => new Date().toISOString())
    loseAnswers({ route: 'rest', method: 'POST' })
    const input = { ...repo, prNumber: 4, event: 'APPROVE', body: 'Good.' }
    const { body } = await gateway.call('pr.reviews.submit', input)
    expect(body.error).toMatchObject({ write_outcome: 'unknown' })
    expect(pull(4).reviews.filter(review => review.state === 'APPROVED')).toHaveLength(1)
  })

  describe.each(['rest', 'graphql', 'cli'] as const)('behind 150 older ones, by %s', route => {
    const addComments = (number: number) => {
      for (let count = 0; count < 150; count += 1) {
        gateway.sandbox.store.comments.add(pull(number), { author: author(), body: 'Old.' })
      }
      for (const [index, comment] of pull(number).comments.entries())
        comment.createdAt = date(index)
    }
    const loseTheAnswer = (operation: string) => {
      const request: FaultMatch = route === 'graphql' ? { operation } : { method: 'POST' }
      const on: FaultMatch = { ...request, via: route === 'cli' ? 'socket' : 'tcp' }
      gateway.sandbox.faults.set([{ on, do: { reset: 'after' } }])
    }

    test.skipIf(route === 'cli' && !gh.available)('a comment', async () => {
      addComments(4)
      loseTheAnswer('CommentCreate')
      const input = { ...repo, issueNumber: 4, body: `Said by ${route}.` }
      const { body } = await gateway.call('issue.comments.create', input, { query: { route } })
      expect(body).toMatchObject({ ok: true, meta: { reason: 'RECOVERED' } })
      expect(pull(4).comments.filter(comment => comment.body === input.body)).toHaveLength(1)
    })

    test.skipIf(route === 'cli' && !gh.available)('a review', async () => {
      addReviews(150)
      loseTheAnswer('ReviewSubmit')
      const input = { ...repo, prNumber: 4, event: 'APPROVE', body: `Good by ${route}.` }
      const { body } = await gateway.call('pr.reviews.submit', input, { query: { route } })
      expect(body).toMatchObject({ ok: true, meta: { reason: 'RECOVERED' } })
      expect(pull(4).reviews.filter(review => review.state === 'APPROVED')).toHaveLength(1)
    })
  })
})

function date(seconds: number): string {
  return `${new Date(Date.UTC(2026, 0, 5) + seconds * 1000).toISOString().slice(0, 19)}Z`
}
