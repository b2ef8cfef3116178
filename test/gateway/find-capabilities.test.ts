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
    expect((await list('upstream=elsewhere')).body.data.items).toEqual([])
  })

  test('nothing that the key may not call', async () => {
    const { body } = await list('q=merge', READER)
    const ids = body.data.items.map(({ id }: { id: string }) => id)
    expect(ids).toContain('pr.merge.status')
    expect(ids).not.toContain('pr.merge')
  })

  test.each(['query=merge', 'effect=wild', 'fields=id,nmae'])('and refuses %s', async query => {
    const { status, body } = await list(query)
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'VALIDATION' })
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
