import type { Store } from '../../../../sandbox/index.ts'
import type { Data, ManyItemsByCapability, ParityCases } from '../../case.ts'
import { addDependency } from '../../security-world.ts'
import { addForeign, attic, foreign, hello, repositoryIn, times } from '../../worlds.ts'

const nothing = { owner: 'octo-org', name: 'nothing-here' }
const first = { ...hello, alertNumber: 1 }
const second = { ...hello, alertNumber: 2 }
const third = { ...hello, alertNumber: 3 }
const noComment = { graphql: 'has no comment' }

const numbers = ({ items }: Data) => items.map(({ number }: { number: number }) => number)

const closingOf =
  (number = 1) =>
  (store: Store) => {
    const alert = store.security.dependabotOf(repositoryIn(store))[number - 1]
    return [alert?.state, alert?.closing?.reason ?? null, alert?.closing?.comment ?? null]
  }

const switchOff = (store: Store) => store.security.disable(repositoryIn(store))

function addToAttic(store: Store): void {
  const [alert] = store.security.dependabotOf(repositoryIn(store))
  if (!alert) throw new Error('the seed has no Dependabot alert')
  const { advisory, manifestPath } = alert
  store.security.addDependabot(repositoryIn(store, attic), { advisory, manifestPath })
}

export const cases: ParityCases = {
  'repo.dependabot.alerts.list': [
    { input: hello, answers: { look: numbers, see: [4, 1] } },
    {
      input: {
        ...hello,
        states: ['OPEN', 'DISMISSED', 'FIXED', 'AUTO_DISMISSED'],
        direction: 'asc',
      },
      answers: { look: numbers, see: [1, 2, 3, 4] },
    },
    {
      input: { ...hello, states: ['OPEN', 'DISMISSED'], severities: ['CRITICAL', 'HIGH'] },
      answers: { look: numbers, see: [2, 1] },
    },
    { input: { ...hello, ecosystems: ['PIP', 'GO'] }, answers: { look: numbers, see: [4] } },
    {
      input: { ...hello, states: ['FIXED'], packages: ['@octo/spoon', 'lodash'] },
      answers: { look: numbers, see: [3] },
    },
    {
      input: { ...hello, manifests: ['tools/requirements.txt'] },
      answers: { look: numbers, see: [4] },
    },
    { input: { ...hello, hasPatch: true }, answers: { look: numbers, see: [1] } },
    { input: { ...hello, scope: 'DEVELOPMENT' }, answers: { look: numbers, see: [] } },
    {
      input: { ...hello, relationships: ['DIRECT'], first: 1 },
      answers: { look: numbers, see: [4] },
    },
    { input: hello, title: 'switched off', given: switchOff, fails: 'FORBIDDEN' },
    { input: foreign, given: addForeign, title: 'of others', fails: 'FORBIDDEN' },
    { input: nothing, fails: 'NOT_FOUND' },
    { input: { ...hello, states: ['ALL'] }, fails: 'VALIDATION' },
  ],
  'repo.dependabot.alert.view': [
    {
      input: first,
      answers: { look: data => [data.package, data.cvssScore], see: ['lodash', 7.2] },
    },
    { input: second, answers: { look: ({ dismissedReason }) => dismissedReason, see: 'NOT_USED' } },
    { input: third, answers: { look: ({ state }) => state, see: 'FIXED' } },
    { input: { ...hello, alertNumber: 404 }, fails: 'NOT_FOUND' },
    { input: { ...foreign, alertNumber: 1 }, given: addForeign, fails: 'FORBIDDEN' },
  ],
  'repo.dependabot.alert.dismiss': [
    {
      input: { ...first, reason: 'TOLERABLE_RISK' },
      leaves: { look: closingOf(), see: ['dismissed', 'tolerable_risk', null] },
    },
    {
      input: { ...first, reason: 'FIX_STARTED', comment: '50 % "sure" 🚂' },
      except: noComment,
      leaves: { look: closingOf(), see: ['dismissed', 'fix_started', '50 % "sure" 🚂'] },
    },
    { input: { ...third, reason: 'NOT_USED' }, title: 'a fixed one', fails: 'CONFLICT' },
    { input: first, title: 'without a reason', fails: 'VALIDATION' },
    { input: { ...hello, alertNumber: 404, reason: 'NOT_USED' }, fails: 'NOT_FOUND' },
    {
      input: { ...first, reason: 'NOT_USED' },
      given: switchOff,
      title: 'switched off',
      fails: 'FORBIDDEN',
    },
    {
      input: { ...attic, alertNumber: 1, reason: 'NOT_USED' },
      given: addToAttic,
      fails: 'FORBIDDEN',
    },
  ],
  'repo.dependabot.alert.reopen': [
    { input: second, leaves: { look: closingOf(2), see: ['open', null, null] } },
    {
      input: first,
      title: 'an open one',
      leaves: { look: closingOf(), see: ['open', null, null] },
    },
    { input: third, title: 'a fixed one', fails: 'CONFLICT' },
    { input: { ...hello, alertNumber: 404 }, fails: 'NOT_FOUND' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  // The seed has two open ones.
  'repo.dependabot.alerts.list': {
    given: store => times(229, () => addDependency(store, {})),
    input: hello,
    count: 231,
  },
}
