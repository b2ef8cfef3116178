import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Envelope } from '../../src/envelope.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { gh } from '../support/parts.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const routes = gh.available ? ['rest', 'graphql', 'cli'] : ['rest', 'graphql']

/** Every read, with inputs that reach its corners. */
const reads: readonly [string, Record<string, unknown>][] = [
  ['repo.view', repo],
  ['repo.view', { owner: 'octo-org', name: 'secret-plans' }],
  ['viewer.view', {}],
  ['issue.list', repo],
  ['issue.list', { ...repo, state: 'closed', first: 3 }],
  ['issue.list', { ...repo, state: 'all', first: 100 }],
  ['issue.view', { ...repo, issueNumber: 1 }],
  ['issue.view', { ...repo, issueNumber: 5 }],
  ['issue.comments.list', { ...repo, issueNumber: 2 }],
  ['issue.comments.list', { ...repo, issueNumber: 4 }],
  ['issue.comments.list', { ...repo, issueNumber: 3 }],
  ['pr.list', repo],
  ['pr.list', { ...repo, state: 'closed' }],
  ['pr.list', { ...repo, state: 'all', first: 4 }],
  ['pr.view', { ...repo, prNumber: 4 }],
  ['pr.view', { ...repo, prNumber: 16 }],
  ['release.list', repo],
  ['release.list', { owner: 'octocat', name: 'spoon-knife' }],
]

/** Every change; each runs on a fresh store, so that the numbers it makes are equal too. */
const changes: readonly [string, Record<string, unknown>][] = [
  ['issue.create', { ...repo, title: 'A new issue', body: 'with a body' }],
  ['issue.create', { ...repo, title: 'Without a body' }],
  ['issue.update', { ...repo, issueNumber: 1, title: 'Renamed' }],
  ['issue.update', { ...repo, issueNumber: 1, body: '' }],
  ['issue.close', { ...repo, issueNumber: 1 }],
  ['issue.close', { ...repo, issueNumber: 3 }],
  ['issue.comments.create', { ...repo, issueNumber: 1, body: 'A comment' }],
  ['issue.comments.create', { ...repo, issueNumber: 4, body: 'On a pull request' }],
  ['issue.labels.add', { ...repo, issueNumber: 1, labels: ['question', 'good first issue'] }],
]

/** Failures that every route must tell alike. */
const failures: readonly [string, Record<string, unknown>, string][] = [
  ['repo.view', { owner: 'octo-org', name: 'nothing-here' }, 'NOT_FOUND'],
  ['repo.view', { owner: 'mallory', name: 'hidden' }, 'NOT_FOUND'],
  ['issue.view', { ...repo, issueNumber: 9999 }, 'NOT_FOUND'],
  ['issue.view', { ...repo, issueNumber: 4 }, 'NOT_FOUND'],
  ['pr.view', { ...repo, prNumber: 1 }, 'NOT_FOUND'],
  ['issue.list', { owner: 'octo-org', name: 'nothing-here' }, 'NOT_FOUND'],
  ['issue.create', { owner: 'octo-org', name: 'attic', title: 'x' }, 'FORBIDDEN'],
  ['issue.comments.create', { ...repo, issueNumber: 9999, body: 'x' }, 'NOT_FOUND'],
]

describe('one input gives one answer, whatever the route', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway[Symbol.asyncDispose]())

  const run = async (id: string, input: unknown, route: string) => {
    const { body } = await gateway.call(id, input, { query: { route } })
    return body
  }

  test.each(reads)('%s %j', async (id, input) => {
    const answers = await Promise.all(routes.map(route => run(id, input, route)))
    for (const answer of answers) {
      expect(answer.error).toBeNull()
      expect(withoutCursor(answer)).toEqual(withoutCursor(answers[0] as Envelope))
    }
  })

  test.each(changes)('%s %j', async (id, input) => {
    const answers: Envelope[] = []
    const states: unknown[] = []
    for (const route of routes) {
      gateway.sandbox.reset()
      answers.push(await run(id, input, route))
      states.push(await readState(gateway, input))
    }
    for (const [index, answer] of answers.entries()) {
      expect(answer.error).toBeNull()
      expect(answer.data).toEqual(answers[0]?.data)
      expect(states[index]).toEqual(states[0])
    }
  })

  test.each(failures)('%s %j fails with %s', async (id, input, code) => {
    for (const route of routes) {
      const answer = await run(id, input, route)
      expect({ route, code: answer.error?.code }).toEqual({ route, code })
    }
  })

  test.each(
    routes.flatMap(
      route =>
        [
          [route, 'issue.list', { ...repo, state: 'all', first: 12 }, 30],
          [route, 'issue.comments.list', { ...repo, issueNumber: 2, first: 5 }, 14],
          [route, 'pr.list', { ...repo, state: 'all', first: 4 }, 10],
          [route, 'release.list', { ...repo, first: 4 }, 10],
        ] as const,
    ),
  )('%s pages through %s to the end', async (route, id, input, total) => {
    const numbers = new Set<unknown>()
    let after: string | null = null
    let pages = 0
    do {
      const { data } = (await run(
        id,
        after === null ? input : { ...input, after },
        route,
      )) as never as {
        data: {
          items: { id: string }[]
          pageInfo: { hasNextPage: boolean; endCursor: string | null }
        }
      }
      for (const item of data.items) numbers.add(item.id)
      after = data.pageInfo.endCursor
      pages++
      expect(data.pageInfo.hasNextPage).toBe(after !== null)
    } while (after !== null && pages < 10)
    expect(numbers.size).toBe(total)
    expect(pages).toBe(3)
  })

  test('a cursor goes on by the route that made it, whatever else is preferred', async () => {
    const first = await run('issue.list', { ...repo, first: 2 }, 'graphql')
    const after = (first.data as { pageInfo: { endCursor: string } }).pageInfo.endCursor
    const { body } = await gateway.call('issue.list', { ...repo, first: 2, after })
    expect(body.meta.route_used).toBe('graphql')
    const foreign = await run('issue.list', { ...repo, first: 2, after }, 'rest')
    expect(foreign.error).toMatchObject({
      code: 'VALIDATION',
      next: { action: 'fix_input', fields: ['after'] },
    })
  })
})

/** Cursors are each route's own; everything else must be equal. */
function withoutCursor({ data }: Envelope): unknown {
  const list = data as { pageInfo?: { hasNextPage: boolean } }
  return list?.pageInfo ? { ...list, pageInfo: { hasNextPage: list.pageInfo.hasNextPage } } : data
}

async function readState(gateway: TestGateway, input: Record<string, unknown>): Promise<unknown> {
  const issues = await gateway.call(
    'issue.list',
    { ...repo, state: 'all', first: 100 },
    { query: { route: 'rest' } },
  )
  const comments = await gateway.call(
    'issue.comments.list',
    { ...repo, issueNumber: input.issueNumber ?? 1 },
    { query: { route: 'rest' } },
  )
  return { issues: withoutTimes(issues.body.data), comments: withoutTimes(comments.body.data) }
}

/** Changes on different routes happen at different seconds. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, item: unknown) => (key.endsWith('At') ? undefined : item)),
  )
}
