import type { Store, User } from '../../sandbox/index.ts'
import type { Data, ParityCase } from './case.ts'

/** Accounts that are no ordinary users, and the login by which every route shows each of them. */
const ACTORS: readonly [title: string, make: (store: Store) => User, login: string | null][] = [
  ['an app', ({ accounts }) => accounts.addBot('octo-app'), 'octo-app[bot]'],
  [
    'a mannequin',
    ({ accounts }) => accounts.addUser({ login: 'mona-import' }, 'Mannequin'),
    'mona-import',
  ],
  ['an account that is gone', ({ accounts }) => accounts.addUser({ login: 'ghost' }), null],
]

/**
 * Cases of a capability that shows an actor.
 * @param set makes the actor the one that is shown
 * @param look reads the actor from the answer
 */
export function ofActors(
  input: ParityCase['input'],
  set: (store: Store, actor: User) => void,
  look: (data: Data) => unknown = data => data.author,
): ParityCase[] {
  return ACTORS.map(([title, make, see]) => ({
    title: `of ${title}`,
    input,
    given: store => set(store, make(store)),
    answers: { look, see },
  }))
}
