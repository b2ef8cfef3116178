import type { Store } from '../../../../sandbox/index.ts'
import type { ParityCases } from '../../case.ts'
import { hello, pullIn, userIn } from '../../worlds.ts'

/** Octocat's pending review of this pull request has a body and no comments. */
const pending = { ...hello, prNumber: 36 }
const none = { ...hello, prNumber: 4 }
const issue = { ...hello, prNumber: 1 }
const place = { path: 'src/parts/part-36.ts', line: 2 }

function begin(store: Store): void {
  const author = userIn(store)
  const at = (line: number) => ({ path: 'src/parts/part-4.ts', line, body: `On line ${line}.` })
  store.reviews.add(pullIn(store, 4), { author, body: 'So far.', threads: [at(1), at(3)] })
}

function beginByHubot(store: Store): void {
  store.reviews.add(pullIn(store, 4), { author: userIn(store, 'hubot'), body: 'Not yours.' })
}

const states = (prNumber: number) => (store: Store) =>
  pullIn(store, prNumber).reviews.map(({ state }) => state)

export const cases: ParityCases = {
  'pr.reviews.pending.view': [
    {
      input: none,
      given: begin,
      title: 'with comments',
      answers: { look: data => data.comments.length, see: 2 },
    },
    { input: none, title: 'none', fails: 'NOT_FOUND' },
    { input: pending, title: 'without comments' },
    { input: none, given: beginByHubot, title: "another user's", fails: 'NOT_FOUND' },
    { input: issue, fails: 'NOT_FOUND' },
  ],
  'pr.reviews.pending.create': [
    {
      input: {
        ...none,
        body: 'A first thought.',
        comments: [
          { path: 'src/parts/part-4.ts', line: 2, body: 'Why?' },
          { path: 'src/parts/part-4.ts', line: 4, startLine: 3, side: 'RIGHT', body: 'Both.' },
        ],
      },
      title: 'with comments',
      leaves: { look: states(4), see: ['PENDING'] },
    },
    { input: pending, title: 'beside another', fails: 'CONFLICT' },
    { input: none, title: 'with nothing' },
    { input: issue, fails: 'NOT_FOUND' },
  ],
  'pr.reviews.pending.comments.add': [
    { input: { ...pending, ...place, body: 'Why "2"?' } },
    { input: { ...none, ...place, body: 'Why?' }, title: 'without a review', fails: 'NOT_FOUND' },
    { input: { ...pending, ...place, startLine: 1, side: 'RIGHT', body: 'Both.' } },
    { input: { ...pending, path: place.path, body: 'All of it.' }, title: 'on the whole file' },
    { input: { ...pending, path: 'none.md', line: 1, body: 'x' }, fails: 'VALIDATION' },
    { input: { ...pending, ...place, line: 400, body: 'x' }, fails: 'VALIDATION' },
  ],
  'pr.reviews.pending.submit': [
    {
      input: { ...pending, event: 'APPROVE' },
      answers: { look: ({ state, body }) => [state, body], see: ['APPROVED', 'A first thought'] },
    },
    { input: { ...none, event: 'APPROVE' }, title: 'none', fails: 'NOT_FOUND' },
    { input: { ...pending, event: 'REQUEST_CHANGES', body: 'A second thought.' } },
    {
      input: { ...none, event: 'COMMENT' },
      given: begin,
      title: 'with comments',
      leaves: { look: states(4), see: ['COMMENTED'] },
    },
    {
      input: { ...none, event: 'REQUEST_CHANGES' },
      given: store => void store.reviews.add(pullIn(store, 4), { author: userIn(store), body: '' }),
      title: 'nothing said',
      fails: 'VALIDATION',
    },
  ],
  'pr.reviews.pending.delete': [
    {
      input: none,
      given: begin,
      title: 'with comments',
      leaves: { look: store => pullIn(store, 4).threads.length, see: 0 },
    },
    { input: none, title: 'none', fails: 'NOT_FOUND' },
    { input: none, given: beginByHubot, title: "another user's", fails: 'NOT_FOUND' },
  ],
  'pr.reviews.dismiss': [
    {
      input: store => ({
        ...hello,
        prNumber: 20,
        reviewId: pullIn(store, 20).reviews.at(-1)?.databaseId,
        message: 'Out of date.',
      }),
      title: 'an approval',
    },
    { input: { ...hello, prNumber: 20, reviewId: 1, message: 'x' }, fails: 'NOT_FOUND' },
    {
      input: store => ({
        ...hello,
        prNumber: 36,
        reviewId: pullIn(store, 36).reviews[0]?.databaseId,
        message: 'Too soon.',
      }),
      title: 'a pending one',
      fails: 'VALIDATION',
    },
  ],
}
