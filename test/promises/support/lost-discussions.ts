import type { DiscussionCategory, Store } from '../../../sandbox/index.ts'
import { repositoryIn, times, userIn } from '../../parity/worlds.ts'
import type { LostWrite } from './lost-writes.ts'

const odd = { owner: 'the-hyphen', name: '404' }
const MARK = 'Made once'
const OLD = '2026-01-05T00:00:00Z'

const category = (store: Store) =>
  store.discussions.categories(repositoryIn(store, odd))[0] as DiscussionCategory

export const lostDiscussions: Readonly<Record<string, LostWrite>> = {
  'discussion.create': {
    given: store =>
      times(150, number => {
        const fields = { author: userIn(store), title: `${number}`, body: 'Old.', createdAt: OLD }
        store.discussions.add({ ...fields, category: category(store) })
      }),
    input: () => ({ ...odd, category: 'ideas', title: MARK, body: 'x' }),
    on: { operation: 'DiscussionCreate' },
    shows: data => data.items.some((item: { title: string }) => item.title === MARK),
  },
  'discussion.comments.create': {
    given: store => {
      const [discussion] = store.discussions.of(repositoryIn(store, odd))
      if (!discussion) throw new Error('the seed has no discussion')
      const fields = { author: userIn(store), body: 'Old.', createdAt: OLD }
      times(150, () => store.discussions.comment(discussion, fields))
    },
    input: () => ({ ...odd, discussionNumber: 1, body: MARK }),
    on: { operation: 'DiscussionComment' },
    shows: data => data.items.some((item: { body: string }) => item.body === MARK),
  },
}
