import type { Store } from '../../../../sandbox/index.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { attic, hello, pullIn, repositoryIn, times, userIn } from '../../worlds.ts'

const headOf = (store: Store, number: number) => pullIn(store, number).head.sha

function addStatuses(store: Store, states: readonly ('success' | 'pending' | 'error')[]): void {
  for (const [index, state] of states.entries()) {
    const fields = { sha: headOf(store, 8), creator: userIn(store), context: `check ${index}` }
    store.checks.addStatus(repositoryIn(store), { ...fields, state })
  }
}

export const cases: ParityCases = {
  'repo.commit.statuses.list': [
    { input: { ...hello, ref: 'topic-4' } },
    { input: { ...hello, ref: 'nowhere' }, fails: 'NOT_FOUND' },
    { input: { ...hello, ref: 'main' }, title: 'none' },
  ],
  'repo.commit.status.view': [
    {
      input: { ...hello, ref: 'topic-4' },
      answers: { look: data => data.state, see: 'FAILURE' },
    },
    { input: { ...hello, ref: 'nowhere' }, fails: 'NOT_FOUND' },
    { input: { ...hello, ref: 'v1.0.0-rc.1' }, title: 'none, at an annotated tag' },
    {
      input: { ...hello, ref: 'topic-8' },
      given: store => addStatuses(store, ['success', 'pending']),
      title: 'pending',
      answers: { look: data => data.state, see: 'PENDING' },
    },
    {
      input: { ...hello, ref: 'topic-8' },
      given: store => addStatuses(store, ['success', 'success']),
      title: 'passed',
      answers: { look: data => data.state, see: 'SUCCESS' },
    },
  ],
  'repo.commit.statuses.create': [
    {
      input: store => ({
        ...hello,
        sha: headOf(store, 8),
        state: 'FAILURE',
        context: 'ci/build "all" 🚂',
        description: 'One test has failed.',
        targetUrl: 'https://ci.example.test/8?a=b#c',
      }),
      title: 'with everything',
    },
    { input: { ...hello, sha: '0'.repeat(40), state: 'SUCCESS' }, fails: 'NOT_FOUND' },
    { input: store => ({ ...hello, sha: headOf(store, 8), state: 'PENDING' }), title: 'plain' },
    {
      input: store => ({
        ...attic,
        sha: store.git.branch(repositoryIn(store, attic), 'main')?.oid,
        state: 'SUCCESS',
      }),
      title: 'in an archive',
      fails: 'FORBIDDEN',
    },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'repo.commit.statuses.list': {
    given: store =>
      times(230, number => {
        const fields = { sha: headOf(store, 8), creator: userIn(store), state: 'pending' } as const
        store.checks.addStatus(repositoryIn(store), { ...fields, context: `check ${number}` })
      }),
    input: { ...hello, ref: 'topic-8' },
    count: 230,
  },
}
