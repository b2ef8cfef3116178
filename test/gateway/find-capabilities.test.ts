import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signalbox } from '../commands/support/signalbox.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({
    settings: {
      keys: [
        { name: 'all', secret: 'a-key-of-16-characters' },
        { name: 'reader', secret: 'another-key-of-16-characters', read_only: true },
      ],
    },
  })
})
afterAll(() => gateway[Symbol.asyncDispose]())

const ALL = { authorization: 'Bearer a-key-of-16-characters' }
const READER = { authorization: 'Bearer another-key-of-16-characters' }

const list = async (query: string, headers = ALL) =>
  await gateway.get(`/v1/capabilities?${query}`, headers)

describe('GET /v1/capabilities finds', () => {
  test.each([
    ['its words', 'merge a pull request', 'pr.merge'],
    ['a misspelling', 'mrege pr', 'pr.merge'],
    ['a synonym', 'remove branch', 'repo.branch.delete'],
    ['camel case and plurals', 'listIssues', 'issue.list'],
    ['a member of the input', 'commentId', 'issue.comments.view'],
    ['nothing', 'xyzzy', undefined],
  ])('by %s', async (_by, words, first) => {
    const { body } = await list(new URLSearchParams({ q: words }).toString())
    const ids = body.data.items.map(({ id }: { id: string }) => id)
    if (first === undefined) expect(ids).toEqual([])
    else expect(ids.slice(0, 5)).toContain(first)
  })

  test('by effect and upstream, with some members only', async () => {
    const { body } = await list('q=merge&effect=read&upstream=github&fields=id,effect')
    expect(body.data.items[0]).toEqual({ id: 'pr.merge.status', effect: 'read' })
    const effects = body.data.items.map(({ effect }: { effect: string }) => effect)
    expect(new Set(effects)).toEqual(new Set(['read']))
  })

  test('all changes, of whatever effect', async () => {
    const { body } = await list('effect=change&fields=id,effect')
    const effects = body.data.items.map(({ effect }: { effect: string }) => effect)
    expect(new Set(effects)).toEqual(new Set(['idempotent', 'write']))
    const whole = (await list('fields=effect')).body.data.items
    const changes = whole.filter(({ effect }: { effect: string }) => effect !== 'read')
    expect(effects).toHaveLength(changes.length)
  })

  test.each(['q=', 'q=%20'])('all with %s', async query => {
    const [all, found] = [await list(''), await list(query)]
    expect(found.body.data.items).toEqual(all.body.data.items)
  })

  test.each(['upstream=elsewhere', 'upstream='])('no upstream by %s', async query => {
    const { status, body } = await list(query)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      code: 'VALIDATION',
      next: { action: 'fix_input', fields: ['upstream'] },
    })
    expect(body.error.message).toContain('github')
  })

  test('nothing that the key may not call', async () => {
    const { body } = await list('q=merge', READER)
    const ids = body.data.items.map(({ id }: { id: string }) => id)
    expect(ids).toContain('pr.merge.status')
    expect(ids).not.toContain('pr.merge')
  })

  interface Item {
    readonly id: string
    readonly effect: string
    readonly upstream: string
  }
  const isFound = (found: readonly Item[], id: string) => found.some(item => item.id === id)

  test.each<readonly [query: string, holds: (found: readonly Item[]) => boolean]>([
    ['', found => isFound(found, 'pr.merge') && isFound(found, 'issue.list')],
    ['q=merge', found => isFound(found, 'pr.merge') && !isFound(found, 'gist.list')],
    ['effect=read', found => isFound(found, 'issue.list') && !isFound(found, 'issue.create')],
    ['effect=change', found => isFound(found, 'issue.create') && !isFound(found, 'issue.list')],
    ['effect=idempotent', found => found.every(({ effect }) => effect === 'idempotent')],
    ['upstream=github', found => found.every(({ upstream }) => upstream === 'github')],
    [
      'q=merge&effect=change',
      found => isFound(found, 'pr.merge') && !isFound(found, 'pr.merge.status'),
    ],
    ['fields=id', found => found.every(item => Object.keys(item).join() === 'id')],
    [
      'fields=%20effect%20,%20id',
      found => found.every(item => Object.keys(item).join() === 'id,effect'),
    ],
  ])('what it is asked for: %s', async (query, holds) => {
    const { status, body } = await list(query)
    expect(status).toBe(200)
    expect(body.data.items).not.toEqual([])
    expect(holds(body.data.items)).toBe(true)
  })

  test.each([
    ['query=merge', 'query'],
    ['Q=merge', 'Q'],
    ['effect=wild', 'effect'],
    ['effect=write', 'effect'],
    ['effect=read&effect=write', 'effect'],
    ['q=a&q=b', 'q'],
    [`q=${'a'.repeat(201)}`, 'q'],
    ['upstream=a&upstream=b', 'upstream'],
    ['fields=id,nmae', 'fields'],
    ['fields=', 'fields'],
    ['effect=', 'effect'],
  ])('and refuses %s', async (query, member) => {
    const { status, body } = await list(query)
    const { code, next } = body.error
    expect({ status, code, fields: next.fields }).toEqual({
      status: 400,
      code: 'VALIDATION',
      fields: [member],
    })
  })
})

describe('an unknown query parameter is refused', () => {
  test.each([
    'GET /v1/capabilities',
    'GET /v1/capabilities/repo.view',
    'POST /v1/capabilities/repo.view',
    'POST /v1/capabilities/repo.view/explain',
    'POST /v1/batch',
    'GET /v1/requests',
    'GET /v1/requests/x',
    'GET /v1/requests/x/export',
    'GET /v1/requests/stream',
    'GET /v1/attempts',
    'GET /v1/stats',
    'GET /v1/upstreams',
    'GET /v1/hints',
    'GET /v1/profiles',
    'GET /openapi.json',
    'POST /mcp',
  ])('at %s', async endpoint => {
    const [method = '', path = ''] = endpoint.split(' ')
    const response = await fetch(`${gateway.url}${path}?no_such_parameter=1`, {
      method,
      headers: {
        ...ALL,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      ...(method === 'POST' ? { body: '{"calls":[{}]}' } : {}),
    })
    const { error } = (await response.json()) as { error: { code: string; next: object } }
    expect({ status: response.status, code: error.code, next: error.next }).toMatchObject({
      status: 400,
      code: 'VALIDATION',
      next: { action: 'fix_input', fields: ['no_such_parameter'] },
    })
  })
})

describe('an unknown id is NOT_FOUND, with what was meant', () => {
  const DOORS = {
    HTTP: async (id: string) => (await gateway.call(id, {}, { headers: ALL })).body.error,
    'a shown card': async (id: string) =>
      (await gateway.get(`/v1/capabilities/${id}`, ALL)).body.error,
    batch: async (id: string) => {
      const response = await fetch(`${gateway.url}/v1/batch`, {
        method: 'POST',
        headers: { ...ALL, 'content-type': 'application/json' },
        body: JSON.stringify({ calls: [{ capability: id }] }),
      })
      const { data } = (await response.json()) as { data: { results: { envelope: Failed }[] } }
      return data.results[0]?.envelope.error
    },
    'a plan': async (id: string) => {
      const response = await fetch(`${gateway.url}/v1/capabilities/${id}/explain`, {
        method: 'POST',
        headers: { ...ALL, 'content-type': 'application/json' },
        body: '{}',
      })
      return ((await response.json()) as Failed).error
    },
    'the command line': async (id: string) =>
      (JSON.parse((await signalbox(['call', id, 'owner=x'])).stdout) as Failed).error,
    'a plan on the command line': async (id: string) =>
      (JSON.parse((await signalbox(['explain', id, 'owner=x'])).stdout) as Failed).error,
    'a card on the command line': async (id: string) => ({
      code: 'NOT_FOUND',
      message: (await signalbox(['capabilities', id])).stderr,
    }),
  }
  interface Failed {
    readonly error: { readonly code: string; readonly message: string }
  }
  const CASES = Object.keys(DOORS).flatMap(door =>
    ['issue_view', 'issues.view'].map(id => [door, id] as const),
  )

  test.each(CASES)('at %s: %s', async (door, id) => {
    const error = await DOORS[door as keyof typeof DOORS](id)
    expect(error?.code).toBe('NOT_FOUND')
    const [, ids = ''] = /Did you mean ([^?]+)\?/.exec(error?.message ?? '') ?? []
    expect(ids.split(', ')[0]).toBe('issue.view')
    expect(ids.split(', ').length).toBeLessThanOrEqual(5)
  })

  test('and suggests nothing for an id like no other, nor what the key may not call', async () => {
    expect((await DOORS.HTTP('xyzzy')).message).not.toContain('Did you mean')
    const { body } = await gateway.call('pr.mrege', {}, { headers: READER })
    expect(body.error.message).toMatch(/Did you mean pr\.merge\.status/)
    expect(body.error.message).not.toMatch(/pr\.merge[,?]/)
  })
})
