import { LEAKED_SECRET, type Store } from '../../../../sandbox/index.ts'
import type { Data, ManyItemsByCapability, ParityCases } from '../../case.ts'
import { addSecret } from '../../security-world.ts'
import { addForeign, foreign, hello, repositoryIn, times } from '../../worlds.ts'

const nothing = { owner: 'octo-org', name: 'nothing-here' }
const first = { ...hello, alertNumber: 1 }
const second = { ...hello, alertNumber: 2 }

const numbers = ({ items }: Data) => items.map(({ number }: { number: number }) => number)
const showsNoSecret = {
  look: (data: Data) => JSON.stringify(data).includes(LEAKED_SECRET),
  see: false,
}

const closingOf =
  (number = 1) =>
  (store: Store) => {
    const alert = store.security.secretsOf(repositoryIn(store))[number - 1]
    return [alert?.state, alert?.closing?.reason ?? null, alert?.closing?.comment ?? null]
  }

const switchOff = (store: Store) => store.security.disable(repositoryIn(store))

export const cases: ParityCases = {
  'repo.secret_scanning.alerts.list': [
    { input: hello, answers: { look: numbers, see: [1] } },
    { input: { ...hello, first: 1 }, title: 'without the secret', answers: showsNoSecret },
    { input: { ...hello, state: 'RESOLVED' }, answers: { look: numbers, see: [2] } },
    {
      input: {
        ...hello,
        secretTypes: ['npm_access_token'],
        state: 'RESOLVED',
        resolutions: ['REVOKED'],
      },
      answers: { look: numbers, see: [2] },
    },
    { input: { ...hello, providers: ['npm', 'pypi'] }, answers: { look: numbers, see: [] } },
    {
      input: { ...hello, validities: ['ACTIVE'], isPubliclyLeaked: true, isMultiRepo: false },
      answers: { look: numbers, see: [1] },
    },
    { input: { ...hello, isPushProtectionBypassed: false }, answers: { look: numbers, see: [] } },
    {
      input: { ...hello, sort: 'updated', direction: 'asc' },
      given: addSecret,
      answers: { look: numbers, see: [1, 3] },
    },
    { input: hello, title: 'switched off', given: switchOff, fails: 'NOT_FOUND' },
    { input: foreign, given: addForeign, title: 'of others', fails: 'NOT_FOUND' },
    { input: nothing, fails: 'NOT_FOUND' },
    { input: { ...hello, secretTypes: ['a,b'] }, fails: 'VALIDATION' },
  ],
  'repo.secret_scanning.alert.view': [
    { input: first, answers: showsNoSecret },
    { input: second, answers: { look: ({ resolution }) => resolution, see: 'REVOKED' } },
    { input: { ...hello, alertNumber: 404 }, fails: 'NOT_FOUND' },
    { input: { ...foreign, alertNumber: 1 }, given: addForeign, fails: 'NOT_FOUND' },
  ],
  'repo.secret_scanning.alert.resolve': [
    {
      input: { ...first, resolution: 'REVOKED', comment: '50 % "sure" 🚂' },
      leaves: { look: closingOf(), see: ['resolved', 'revoked', '50 % "sure" 🚂'] },
    },
    {
      input: { ...first, resolution: 'WONT_FIX' },
      title: 'without the secret',
      answers: showsNoSecret,
    },
    {
      input: { ...second, resolution: 'USED_IN_TESTS' },
      title: 'in another way',
      leaves: { look: closingOf(2), see: ['resolved', 'used_in_tests', null] },
    },
    { input: first, title: 'without a resolution', fails: 'VALIDATION' },
    { input: { ...hello, alertNumber: 404, resolution: 'REVOKED' }, fails: 'NOT_FOUND' },
  ],
  'repo.secret_scanning.alert.reopen': [
    { input: second, leaves: { look: closingOf(2), see: ['open', null, null] } },
    { input: first, title: 'an open one', answers: showsNoSecret },
    { input: { ...hello, alertNumber: 404 }, fails: 'NOT_FOUND' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  // The seed has an open one.
  'repo.secret_scanning.alerts.list': {
    given: store => times(230, () => addSecret(store)),
    input: hello,
    count: 231,
  },
}
