import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../sandbox/index.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { type LostWrite, lostStates, lostWrites } from './support/lost-writes.ts'
import { DOOR_NAMES, DOORS, type Door } from './support/sandbox-doors.ts'

const start = () => startTestGateway({ env: { PATH: '' }, settings: { retries: 0 } })

let gateway: TestGateway
beforeAll(async () => {
  gateway = await start()
})
afterAll(() => gateway[Symbol.asyncDispose]())

/** Makes the change, loses its answer, and fails all reads, so that the gateway cannot find out by itself. */
async function loseWrite(ask: Door, id: string, lost: LostWrite) {
  const { faults, store } = gateway.sandbox
  const { on = { method: 'POST', route: 'rest' } } = lost
  const unavailable = [{ do: { status: 502 }, times: 1000 }]
  faults.set([{ on, do: { reset: 'after' }, next: unavailable }])
  const { error } = await ask(gateway, id, lost.input(store))
  faults.clear()
  return error
}

/** Closes the breakers that the lost writes before have opened. */
function forgetFailures(): void {
  const { breakers } = gateway.engine.state
  for (const key of breakers.unsettled()) breakers.adopt(key, null)
}

test('every capability with a verify has a case here', () => {
  const cards = gateway.engine.catalog.all().filter(({ verify }) => verify !== null)
  const ids = cards.map(({ id }) => id).filter(id => gateway.engine.catalog.get(id))
  expect(Object.keys(lostWrites).toSorted()).toEqual(ids.toSorted())
})

/** Each call by the command line starts a process: try there one change of each kind of thing. */
const BY_COMMAND_LINE = /^(issue|repo.branch|repo.commit|release|discussion|workflow.run)\.\w+$/

function writesAt(door: keyof typeof DOORS): readonly (readonly [string, LostWrite])[] {
  const all = Object.entries(lostWrites)
  return door === 'command line' ? all.filter(([id]) => BY_COMMAND_LINE.test(id)) : all
}

describe.each(DOOR_NAMES)('by %s', door => {
  test.each(writesAt(door))(
    'the read that is advised after a lost %s shows the change behind 150 older items',
    async (id, lost) => expect(await seesChange(DOORS[door], id, lost)).toBe(true),
    30_000,
  )
})

test.each(Object.entries(lostStates))(
  'the read that is advised after a lost %s shows the state among 150 others',
  async (id, lost) => expect(await seesChange(DOORS.HTTP, id, lost)).toBe(true),
)

test.each([
  ['issue.assignees.add', 'POST', { issueNumber: 1, assignees: ['hubot'] }],
  ['pr.reviews.request', 'POST', { prNumber: 4, reviewers: ['octocat'] }],
  ['issue.lock', 'PUT', { issueNumber: 1 }],
])(
  'after a lost %s, which no read shows, the advice is to ask a person',
  async (id, method, own) => {
    gateway.sandbox.reset()
    forgetFailures()
    const input = () => ({ owner: 'octo-org', name: 'hello-world', ...own })
    const lost: LostWrite = { given: () => {}, input, on: { method }, shows: () => false }
    const error = await loseWrite(DOORS.HTTP, id, lost)
    expect(error).toMatchObject({ write_outcome: 'unknown', next: { action: 'ask_human' } })
  },
)

/** Does what the error advises, as an agent would. */
async function seesChange(ask: Door, id: string, lost: LostWrite): Promise<boolean> {
  gateway.sandbox.reset()
  forgetFailures()
  lost.given(gateway.sandbox.store)
  const error = await loseWrite(ask, id, lost)
  if (error.write_outcome !== 'unknown' || error.next.action !== 'verify') return false
  forgetFailures()
  const { data } = await ask(gateway, error.next.tool ?? error.next.capability, error.next.input)
  return lost.shows(data)
}

// Gateways of their own: one that remembers writes would take an id that a reset sandbox gives again for theirs.
describe('a change of a pull request whose answer is lost is found, and told as it is', () => {
  const input = { owner: 'octo-org', name: 'hello-world', prNumber: 4 }
  const merge = { operation: 'PrMerge' }
  const rule = (rules: object) => (store: Store) =>
    store.repositories.find('octo-org', 'hello-world')?.merging.branches.set('main', rules)
  test.each([
    ['pr.merge', { method: 'squash' }, merge, { method: 'squash', queued: false, auto: false }],
    ['pr.merge', {}, merge, { method: null, isMethodAssumed: true, queued: false, auto: false }],
    [
      'pr.merge',
      { method: 'merge' },
      merge,
      { method: 'merge', isMethodAssumed: true, queued: true, auto: false },
      rule({ hasMergeQueue: true }),
    ],
    [
      'pr.merge',
      { auto: true },
      merge,
      { method: 'merge', isMethodAssumed: true, queued: false, auto: true },
      rule({ requiresApproval: true }),
    ],
    ['pr.close', {}, { method: 'PATCH' }, { state: 'CLOSED', closed: true, deleteBranch: false }],
  ] as const)('%s %j', async (id, own, on, data, given: (store: Store) => void = () => {}) => {
    await using gateway = await start()
    given(gateway.sandbox.store)
    gateway.sandbox.faults.set([{ on, do: { reset: 'after' } }])
    const { body } = await gateway.call(id, { ...input, ...own })
    expect(body.meta.reason).toBe('RECOVERED')
    expect(body.data).toMatchObject(data)
  })
})

test.each([
  [
    { draft: false, title: 'Made once' },
    { isDraft: false, name: 'Made once' },
  ],
  [
    { draft: false, generateNotes: true },
    { isDraft: false, name: 'zulu' },
  ],
  [{ generateNotes: true }, { isDraft: true, name: 'zulu' }],
])('a lost release with %j is found', async (own, data) => {
  await using gateway = await start()
  gateway.sandbox.faults.set([{ on: { method: 'POST' }, do: { reset: 'after' } }])
  const input = { owner: 'octo-org', name: 'hello-world', tagName: 'zulu', ...own }
  const { body } = await gateway.call('release.create', input)
  expect(body).toMatchObject({ data, meta: { reason: 'RECOVERED' } })
})

describe('a conflict names a read that shows what is in the way, among 150 others', () => {
  const repo = { owner: 'octo-org', name: 'hello-world' }
  test.each([
    ['pr.create', { title: 'Again', head: 'topic-4', base: 'main' }],
    ['repo.branch.create', { branch: 'topic-4' }],
  ])('%s', async (id, input) => {
    gateway.sandbox.reset()
    forgetFailures()
    lostWrites[id]?.given(gateway.sandbox.store)
    const { error } = await DOORS.HTTP(gateway, id, { ...repo, ...input })
    expect(error).toMatchObject({ code: 'CONFLICT', next: { action: 'fix_input' } })
    const { data } = await DOORS.HTTP(gateway, error.next.capability, error.next.input)
    const [{ headRefName, name }] = data.items
    expect(headRefName ?? name).toBe('topic-4')
  })
})
