import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../sandbox/index.ts'
import { addForeign, foreign, hello, repositoryIn, userIn } from '../parity/worlds.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

/** GitHub answers with a success although it left out what the caller may not set. */

let gateway: TestGateway
// A gateway that remembers writes would take an id that a reset sandbox gives again for that of another write.
beforeEach(async () => {
  gateway = await startTestGateway({ env: { PATH: '' }, settings: { retries: 0 } })
})
afterEach(() => gateway[Symbol.asyncDispose]())

const ownIssue = (store: Store) =>
  store.issues.add(repositoryIn(store, foreign), { title: 'Own', author: userIn(store) }).number

const LEFT_OUT =
  'The answer of GitHub does not show the label bug, the assignee mallory, the milestone. It leaves out what you may not set.'
const wanted = { labels: ['bug'], assignees: ['mallory'], milestoneNumber: 1 }

test.each(['rest', 'graphql'])('labels that GitHub leaves out are told, by %s', async route => {
  const { store } = gateway.sandbox
  addForeign(store)
  const query = { route }
  const made = await gateway.call('issue.create', { ...foreign, ...wanted, title: 'x' }, { query })
  const issueNumber = ownIssue(store)
  const changed = await gateway.call(
    'issue.update',
    { ...foreign, ...wanted, issueNumber },
    { query },
  )
  for (const { body } of [made, changed]) {
    expect(body).toMatchObject({
      data: { labels: [], assignees: [], milestone: null },
      meta: { warnings: [{ code: 'NOT_CONFIRMED', message: LEFT_OUT }] },
    })
  }
  const whole = { ...hello, title: 'x', labels: ['BUG'], assignees: ['HUBOT'], milestoneNumber: 1 }
  const { body } = await gateway.call('issue.create', whole, { query })
  expect(body).toMatchObject({ data: { labels: ['bug'] }, meta: { warnings: [] } })
})

const ASSIGNING = [
  ['issue.assignees.add', { issueNumber: 1 }],
  ['pr.assignees.add', { prNumber: 20 }],
] as const

test.each(
  ASSIGNING.flatMap(([id, item]) => ['rest', 'graphql'].map(route => ({ id, item, route }))),
)('people whom GitHub does not assign are told by $id, by $route', async ({ id, item, route }) => {
  const assign = async (assignees: readonly string[]) =>
    (await gateway.call(id, { ...hello, ...item, assignees }, { query: { route } })).body
  expect(await assign(['HUBOT', 'nobody-zz'])).toMatchObject({
    data: { added: ['hubot'] },
    meta: {
      warnings: [
        {
          code: 'NOT_CONFIRMED',
          message: 'GitHub did not assign nobody-zz. It ignores people who cannot be assigned.',
        },
      ],
    },
  })
  expect(await assign(['hubot'])).toMatchObject({ ok: true, meta: { warnings: [] } })
})

test.each(['rest', 'graphql'])('a project that refuses the issue is told, by %s', async route => {
  const refusal = { status: 502, body: { message: 'Bad gateway' } }
  const on =
    route === 'rest'
      ? { path: '/orgs/octo-org/projectsV2/1/items' }
      : { operation: 'ProjectItemAdd' }
  gateway.sandbox.faults.set([{ on, do: refusal }])
  const input = { ...hello, title: 'x', projectNumber: 1 }
  const { body } = await gateway.call('issue.create', input, { query: { route } })
  gateway.sandbox.faults.clear()
  expect(body).toMatchObject({
    data: { projectItemId: null },
    meta: { warnings: [{ code: 'STEP_NOT_DONE', details: { step: 'project' } }] },
  })
})

const opened = { ...hello, title: 'New', head: 'fresh', base: 'main', labels: ['bug'] }

function addFresh(store: Store): void {
  const fields = { author: userIn(store), message: 'New', changes: { 'new.txt': 'x' } }
  store.git.commit(repositoryIn(store), { ...fields, branch: 'fresh' })
}

test.each([
  ['rest', { method: 'PATCH' }],
  ['graphql', { operation: 'PrAssociate' }],
] as const)('labels that a new pull request did not get are told, by %s', async (route, on) => {
  addFresh(gateway.sandbox.store)
  gateway.sandbox.faults.set([{ on, do: { status: 502 } }])
  const input = { ...opened, reviewers: ['hubot'] }
  const { body } = await gateway.call('pr.create', input, { query: { route } })
  gateway.sandbox.faults.clear()
  expect(body).toMatchObject({
    data: { labels: [], reviewers: ['hubot'] },
    meta: {
      warnings: [
        { code: 'STEP_NOT_DONE', details: { step: 'associations', write_outcome: 'unknown' } },
        { code: 'NOT_CONFIRMED', message: expect.stringContaining('the label bug') },
      ],
    },
  })
})

test('what was to follow a pull request whose answer was lost is told', async () => {
  addFresh(gateway.sandbox.store)
  const on = { method: 'POST', path: '/repos/octo-org/hello-world/pulls' }
  gateway.sandbox.faults.set([{ on, do: { reset: 'after' } }])
  const { body } = await gateway.call('pr.create', { ...opened, title: 'Lost' })
  expect(body).toMatchObject({
    data: { title: 'Lost' },
    meta: { reason: 'RECOVERED', warnings: [{ code: 'STEP_NOT_DONE' }, { code: 'NOT_CONFIRMED' }] },
  })
})
