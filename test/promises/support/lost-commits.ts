import type { Store } from '../../../sandbox/index.ts'
import { hello, pullIn, repositoryIn, times, userIn } from '../../parity/worlds.ts'
import type { LostWrite } from './lost-writes.ts'

const MARK = 'Made once'
const OLD = '2026-01-05T00:00:00Z'

const addCommits: LostWrite['given'] = store =>
  times(150, number => {
    const changes = { log: `${number}\n` }
    const fields = { author: userIn(store), message: 'Old', date: OLD, changes }
    store.git.commit(repositoryIn(store), fields)
  })

const shaOf = (store: Store, path: string) =>
  store.git.object(repositoryIn(store), `main:${path}`)?.oid

const committed: LostWrite['shows'] = data =>
  data.items.some((item: { message: string }) => item.message === MARK)

/** Writes of commits, tags and statuses. */
export const lostCommits: Readonly<Record<string, LostWrite>> = {
  'repo.contents.delete': {
    given: addCommits,
    input: store => ({ ...hello, path: 'log', message: MARK, sha: shaOf(store, 'log') }),
    on: { method: 'DELETE' },
    shows: committed,
  },
  'repo.commit.create': {
    given: addCommits,
    input: () => ({
      ...hello,
      branch: 'main',
      message: MARK,
      changes: [{ path: 'log', delete: true }],
    }),
    on: { method: 'PATCH' },
    shows: committed,
  },
  'repo.commit.statuses.create': {
    given: store =>
      times(150, number => {
        const fields = { creator: userIn(store), state: 'pending', context: `${number}` } as const
        const sha = pullIn(store, 4).head.sha
        store.checks.addStatus(repositoryIn(store), { ...fields, sha })
      }),
    input: store => ({
      ...hello,
      sha: pullIn(store, 4).head.sha,
      state: 'SUCCESS',
      description: MARK,
    }),
    shows: data => data.items[0].description === MARK,
  },
  'repo.tag.create': {
    given: store => {
      const oid = store.git.branch(repositoryIn(store), 'main')?.oid ?? ''
      times(150, number => store.git.createTag(repositoryIn(store), { name: `t-${number}`, oid }))
    },
    input: () => ({ ...hello, tag: 'zulu' }),
    shows: data => data.name === 'zulu',
  },
}
