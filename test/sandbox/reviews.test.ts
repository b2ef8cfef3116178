import { expect, test } from 'vitest'
import { reviewDecisionOf } from '../../sandbox/store/reviews.ts'
import { pullIn, repositoryIn, userIn } from '../parity/worlds.ts'
import { clientOf, HELLO, startSandbox } from './support.ts'

const part = 'src/parts/part-4.ts'

test('the latest reviews of the users who may write decide', async () => {
  const { sandbox } = await startSandbox()
  const { store } = sandbox
  const [octocat, mallory] = [userIn(store), userIn(store, 'mallory')]
  const pull = pullIn(store, 4)
  expect(reviewDecisionOf(pull)).toBeNull()
  store.reviews.add(pull, { author: mallory, event: 'APPROVE' })
  expect(reviewDecisionOf(pull)).toBeNull()
  const refusal = store.reviews.add(pull, {
    author: octocat,
    event: 'REQUEST_CHANGES',
    body: 'No.',
  })
  store.reviews.add(pull, { author: octocat, event: 'COMMENT', body: 'Still no.' })
  expect(reviewDecisionOf(pull)).toBe('CHANGES_REQUESTED')
  store.reviews.dismiss(refusal)
  expect(reviewDecisionOf(pull)).toBeNull()
  store.reviews.add(pull, { author: octocat, event: 'APPROVE' })
  expect(reviewDecisionOf(pull)).toBe('APPROVED')
})

test('a submitted review removes the request for it', async () => {
  const { rest } = await startSandbox()
  const path = `${HELLO}/pulls/4`
  const asked = await rest('POST', `${path}/requested_reviewers`, { reviewers: ['octocat'] })
  expect(asked.json.requested_reviewers?.map(user => user.login)).toEqual(['octocat'])
  await rest('POST', `${path}/reviews`, { event: 'APPROVE' })
  expect((await rest('GET', path)).json.requested_reviewers).toEqual([])
})

test('only its author sees a pending review until it is submitted', async () => {
  const { rest, sandbox } = await startSandbox()
  sandbox.store.tokens.add({ token: 'of-hubot', user: userIn(sandbox.store, 'hubot') })
  const others = clientOf(sandbox.url, 'of-hubot')
  const path = `${HELLO}/pulls/4/reviews`
  const comments = [{ path: part, line: 2, body: 'Hm.' }]
  const begun = await rest('POST', path, { body: 'Wait.', comments })
  expect(begun.json).toMatchObject({ state: 'PENDING' })
  expect(begun.json.submitted_at).toBeUndefined()
  expect((await others.rest('GET', path)).json).toEqual([])
  expect((await others.rest('GET', `${HELLO}/pulls/4/comments`)).json).toEqual([])
  await rest('POST', `${path}/${Number(begun.json.id)}/events`, { event: 'REQUEST_CHANGES' })
  expect((await others.rest('GET', path)).json.map(review => review.state)).toEqual([
    'CHANGES_REQUESTED',
  ])
  expect((await others.rest('GET', `${HELLO}/pulls/4/comments`)).json).toHaveLength(1)
})

test('a push marks the threads on changed lines as outdated', async () => {
  const { sandbox, graphql } = await startSandbox()
  const { store } = sandbox
  const [octocat, hubot] = [userIn(store), userIn(store, 'hubot')]
  const pull = pullIn(store, 4)
  const threads = [
    { path: part, line: 1, body: 'This one.' },
    { path: part, line: 2, body: 'The next.' },
  ]
  store.reviews.add(pull, { author: octocat, event: 'COMMENT', threads })
  const hello = repositoryIn(store)
  const file = store.git.object(hello, `topic-4:${part}`)
  if (file?.kind !== 'Blob') throw new Error('the part is a file')
  const text = store.git.of(hello).objects.blob(file.oid).toString()
  const changes = { [part]: text.replace(/^.*/, '// Another first line') }
  store.git.commit(hello, { author: hubot, message: 'As you say', branch: 'topic-4', changes })
  const { json } = await graphql(`{ repository(owner: "octo-org", name: "hello-world") {
    pullRequest(number: 4) { reviewThreads(first: 9) { nodes { isOutdated line originalLine } } } } }`)
  expect(json.data?.repository?.pullRequest?.reviewThreads?.nodes).toEqual([
    { isOutdated: true, line: null, originalLine: 1 },
    { isOutdated: false, line: 2, originalLine: 2 },
  ])
})
