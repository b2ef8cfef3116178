import { hello, pullIn, times, userIn } from '../../parity/worlds.ts'
import type { LostWrite } from './lost-writes.ts'

const pull = { ...hello, prNumber: 4 }
const OLD = '2026-01-05T00:00:00Z'
const MARK = 'Made once'

const addOldReviews: LostWrite['given'] = store =>
  times(150, () => {
    const fields = { event: 'COMMENT', body: 'Old.', createdAt: OLD } as const
    store.reviews.add(pullIn(store, 4), { ...fields, author: userIn(store) })
  })

const addPending: LostWrite['given'] = store => {
  const path = 'src/parts/part-4.ts'
  const threads = [1, 2, 3].map(line => ({ path, line, body: 'Old.' }))
  const fields = { author: userIn(store), body: 'So far.', createdAt: OLD, threads }
  store.reviews.add(pullIn(store, 4), fields)
}

/** Writes on pending reviews. */
export const lostReviews: Readonly<Record<string, LostWrite>> = {
  'pr.reviews.pending.create': {
    given: addOldReviews,
    input: () => ({ ...pull, body: MARK }),
    shows: data => data.body === MARK,
  },
  'pr.reviews.pending.comments.add': {
    given: addPending,
    input: () => ({ ...pull, path: 'src/parts/part-4.ts', line: 2, body: MARK }),
    on: { operation: 'PendingCommentAdd' },
    shows: data => data.comments.some((comment: { body: string }) => comment.body === MARK),
  },
  'pr.reviews.pending.submit': {
    given: store => {
      addOldReviews(store)
      addPending(store)
    },
    input: () => ({ ...pull, event: 'APPROVE', body: MARK }),
    shows: data => data.items.some((item: { body: string }) => item.body === MARK),
  },
}
