import type { Store } from '../../../../sandbox/index.ts'
import type { Data, ManyItemsByCapability, ParityCases } from '../../case.ts'
import { addScan } from '../../security-world.ts'
import { addForeign, attic, foreign, hello, repositoryIn, spoon, times } from '../../worlds.ts'

const nothing = { owner: 'octo-org', name: 'nothing-here' }
const first = { ...hello, alertNumber: 1 }
const second = { ...hello, alertNumber: 2 }
const third = { ...hello, alertNumber: 3 }

const numbers = ({ items }: Data) => items.map(({ number }: { number: number }) => number)

const closingOf =
  (number = 1) =>
  (store: Store) => {
    const alert = store.security.codeScanningOf(repositoryIn(store))[number - 1]
    return [alert?.state, alert?.closing?.reason ?? null, alert?.closing?.comment ?? null]
  }

/** The archive has an alert too, which nobody can change. */
function addToAttic(store: Store): void {
  const [alert] = store.security.codeScanningOf(repositoryIn(store))
  if (alert) store.security.addCodeScanning(repositoryIn(store, attic), alert)
}

export const cases: ParityCases = {
  'repo.code_scanning.alerts.list': [
    { input: hello, answers: { look: numbers, see: [4, 1] } },
    { input: { ...hello, state: 'DISMISSED' }, answers: { look: numbers, see: [2] } },
    { input: { ...hello, state: 'FIXED' }, answers: { look: numbers, see: [3] } },
    { input: { ...hello, tool: 'octo-scan' }, answers: { look: numbers, see: [4] } },
    {
      input: { ...hello, direction: 'asc', sort: 'updated' },
      answers: { look: numbers, see: [1, 4] },
    },
    {
      input: { ...hello, ref: 'refs/heads/topic-4' },
      given: store => addScan(store, { ref: 'refs/heads/topic-4' }),
      answers: { look: numbers, see: [5] },
    },
    { input: spoon, title: 'a repository that was never scanned', fails: 'NOT_FOUND' },
    { input: foreign, given: addForeign, title: 'of others', fails: 'FORBIDDEN' },
    { input: nothing, fails: 'NOT_FOUND' },
    { input: { ...hello, state: 'ALL' }, fails: 'VALIDATION' },
  ],
  'repo.code_scanning.alert.view': [
    { input: first, answers: { look: ({ securitySeverity }) => securitySeverity, see: 'HIGH' } },
    { input: second, answers: { look: ({ dismissedReason }) => dismissedReason, see: 'WONT_FIX' } },
    { input: third, answers: { look: ({ state }) => state, see: 'FIXED' } },
    { input: { ...hello, alertNumber: 404 }, fails: 'NOT_FOUND' },
    { input: { ...foreign, alertNumber: 1 }, given: addForeign, fails: 'FORBIDDEN' },
  ],
  'repo.code_scanning.alert.dismiss': [
    {
      input: { ...first, reason: 'WONT_FIX', comment: '50 % "sure" 🚂' },
      leaves: { look: closingOf(), see: ['dismissed', "won't fix", '50 % "sure" 🚂'] },
    },
    {
      input: { ...first, reason: 'FALSE_POSITIVE' },
      leaves: { look: closingOf(), see: ['dismissed', 'false positive', null] },
    },
    {
      input: { ...second, reason: 'USED_IN_TESTS' },
      title: 'for another reason',
      leaves: { look: closingOf(2), see: ['dismissed', 'used in tests', null] },
    },
    { input: { ...third, reason: 'MITIGATED' }, title: 'a fixed one', fails: 'VALIDATION' },
    { input: first, title: 'without a reason', fails: 'VALIDATION' },
    {
      input: { ...first, reason: 'MITIGATED', comment: 'x'.repeat(281) },
      title: 'too long',
      fails: 'VALIDATION',
    },
    { input: { ...hello, alertNumber: 404, reason: 'MITIGATED' }, fails: 'NOT_FOUND' },
    {
      input: { ...attic, alertNumber: 1, reason: 'MITIGATED' },
      given: addToAttic,
      fails: 'FORBIDDEN',
    },
  ],
  'repo.code_scanning.alert.reopen': [
    { input: second, leaves: { look: closingOf(2), see: ['open', null, null] } },
    {
      input: first,
      title: 'an open one',
      leaves: { look: closingOf(), see: ['open', null, null] },
    },
    { input: third, title: 'a fixed one', fails: 'VALIDATION' },
    { input: { ...hello, alertNumber: 404 }, fails: 'NOT_FOUND' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  // The seed has two open ones.
  'repo.code_scanning.alerts.list': {
    given: store => times(229, () => addScan(store, {})),
    input: hello,
    count: 231,
  },
}
