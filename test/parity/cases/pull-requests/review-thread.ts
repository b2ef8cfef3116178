import type { ReviewThread, Store } from '../../../../sandbox/index.ts'
import type { Input, ManyItemsByCapability, ParityCases } from '../../case.ts'
import { hello, pullIn, repositoryIn, times, userIn } from '../../worlds.ts'

const pull = { ...hello, prNumber: 20 }
const attic = { owner: 'octo-org', name: 'attic' }

/** The seed's threads: 0 is open, 1 is resolved, 2 is outdated. */
function thread(store: Store, index: number): ReviewThread {
  const found = pullIn(store, 20).threads[index]
  if (!found) throw new Error(`pull request 20 has no thread ${index}`)
  return found
}

const EARLY = '2026-02-28T23:59:59Z'

function of(index: number, others: Input = {}): (store: Store) => Input {
  return store => ({ threadId: thread(store, index).nodeId, ...others })
}

function manyComments(store: Store): void {
  const author = userIn(store, 'hubot')
  times(205, number => store.reviews.reply(thread(store, 0), { author, body: `More ${number}` }))
}

function archivedThread(store: Store): Input {
  const repository = repositoryIn(store, attic)
  const threads = [...repository.items.values()].flatMap(item =>
    item.kind === 'PullRequest' ? item.threads : [],
  )
  return { threadId: threads[0]?.nodeId }
}

function threadInAttic(store: Store): void {
  const author = userIn(store, 'hubot')
  const late = store.pullRequests.add(repositoryIn(store, attic), {
    title: 'Too late',
    author,
    head: 'late',
    changes: { 'late.md': 'Too late.\n' },
  })
  store.reviews.add(late, {
    author,
    event: 'COMMENT',
    threads: [{ path: 'late.md', line: 1, body: 'Why?' }],
  })
}

const nowhere = 'PRRT_kwDOAAAD8c4AAAAB'

export const cases: ParityCases = {
  'pr.threads.list': [
    { input: pull },
    { input: { ...pull, unresolvedOnly: false } },
    { input: { ...pull, unresolvedOnly: false, includeOutdated: false } },
    { input: { ...pull, includeOutdated: false, first: 1 } },
    { input: { ...pull, unresolvedOnly: false, first: 1 } },
    { input: pull, given: manyComments, title: 'more comments than fit' },
    { input: { ...hello, prNumber: 4 }, title: 'an empty list' },
    {
      input: { ...hello, prNumber: 4 },
      title: 'a thread that another has not submitted yet is not there',
      given: store =>
        void store.reviews.add(pullIn(store, 4), {
          author: userIn(store, 'hubot'),
          threads: [{ path: 'docs/change-4.md', line: null, body: 'Hidden' }],
        }),
    },
    {
      input: { ...hello, prNumber: 4 },
      title: 'about a whole file',
      given: store =>
        void store.reviews.add(pullIn(store, 4), {
          author: userIn(store, 'hubot'),
          event: 'COMMENT',
          threads: [{ path: 'docs/change-4.md', line: null, body: 'All of it' }],
        }),
    },
    { input: { ...hello, prNumber: 1 }, title: 'of an issue', fails: 'NOT_FOUND' },
    { input: { ...hello, prNumber: 9999 }, fails: 'NOT_FOUND' },
  ],
  'pr.threads.comments.list': [
    { input: of(0), title: 'a long conversation' },
    { input: of(0, { first: 7 }), title: 'a page of it' },
    { input: of(1), title: 'of a resolved thread' },
    {
      input: of(0, { since: '2026-03-01T00:00:00Z', first: 1 }),
      title: 'those since a time, behind many older ones',
      given: store => {
        manyComments(store)
        for (const comment of thread(store, 0).comments) {
          comment.updatedAt = comment.body.endsWith('0') ? '2026-03-01T00:00:00Z' : EARLY
        }
      },
      answers: { look: ({ items }) => items.length, see: 1 },
    },
    { input: { threadId: nowhere, since: EARLY }, fails: 'NOT_FOUND' },
    { input: { threadId: nowhere }, fails: 'NOT_FOUND' },
    {
      input: store => ({ threadId: pullIn(store, 20).nodeId }),
      title: 'of a pull request',
      fails: 'NOT_FOUND',
    },
    { input: { threadId: '--web $(x)' }, fails: 'VALIDATION' },
  ],
  'pr.threads.reply': [
    { input: of(0, { body: 'Because.' }), title: 'an open thread' },
    { input: of(1, { body: '@file and `code`' }), title: 'a resolved thread' },
    {
      input: of(0, { body: 'Added to it.' }),
      title: 'with a review of his own pending',
      given: store => void store.reviews.add(pullIn(store, 20), { author: userIn(store) }),
    },
    { input: of(0, { body: ' ' }), title: 'nothing said', fails: 'VALIDATION' },
    { input: { threadId: nowhere, body: 'x' }, fails: 'NOT_FOUND' },
    {
      input: store => ({ threadId: pullIn(store, 20).nodeId, body: 'x' }),
      title: 'to a pull request',
      fails: 'NOT_FOUND',
    },
    {
      input: store => ({ ...archivedThread(store), body: 'x' }),
      given: threadInAttic,
      title: 'in an archived repository',
      fails: 'FORBIDDEN',
    },
  ],
  'pr.threads.resolve': [
    { input: of(0), title: 'an open thread' },
    { input: of(1), title: 'one that is resolved' },
    { input: of(2), title: 'an outdated one' },
    { input: { threadId: nowhere }, fails: 'NOT_FOUND' },
    { input: archivedThread, given: threadInAttic, title: 'archived', fails: 'FORBIDDEN' },
  ],
  'pr.threads.unresolve': [
    { input: of(1), title: 'a resolved thread' },
    { input: of(0), title: 'one that is open' },
    { input: { threadId: nowhere }, fails: 'NOT_FOUND' },
    { input: archivedThread, given: threadInAttic, title: 'archived', fails: 'FORBIDDEN' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  // Every third thread is resolved, so the list leaves it out.
  'pr.threads.list': {
    given: store => {
      const author = userIn(store)
      store.reviews.add(pullIn(store, 4), {
        author,
        event: 'COMMENT',
        threads: Array.from({ length: 345 }, (_, index) => ({
          path: 'docs/change-4.md',
          line: (index % 8) + 1,
          body: `Thread ${index + 1}`,
        })),
      })
      for (const [index, begun] of pullIn(store, 4).threads.entries()) {
        if (index % 3 === 0) store.reviews.threads.resolve(begun, author)
      }
    },
    input: { ...hello, prNumber: 4 },
    count: 230,
  },
  'pr.threads.comments.list': { given: manyComments, input: of(0), count: 230 },
}
