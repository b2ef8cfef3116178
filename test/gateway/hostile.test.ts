import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { gh } from '../support/parts.ts'

const repo = { owner: 'octo-org', name: 'hello-world' }
const routes = gh.available ? ['rest', 'graphql', 'cli'] : ['rest', 'graphql']

const hostile: readonly [string, string][] = [
  ['a flag', '--help'],
  ['a short flag', '-X'],
  ['a flag with a value', '--method=DELETE'],
  ['a shell command', '; rm -rf /'],
  ['a substitution', '$(touch /tmp/owned) `id`'],
  ['a path', '../../admin'],
  ['a dot segment', '..'],
  ['a header', 'a\r\nX: y'],
  ['a prototype', '__proto__'],
  ['a file for gh', '@/etc/passwd'],
  ['a placeholder for gh', '{owner}'],
  ['a GraphQL fragment', '") { viewer { login } } #'],
  ['a NUL', 'a\u0000b'],
  ['an astral character', '🚂'.repeat(50)],
  ['2 MB', 'x'.repeat(2 * 1024 * 1024)],
]

describe.each(routes)('hostile values by %s', route => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway[Symbol.asyncDispose]())

  test.each(hostile)('as text: %s arrives unchanged, or is refused', async (_name, value) => {
    const { body, status } = await gateway.call(
      'issue.create',
      { ...repo, title: value, body: value },
      { query: { route } },
    )
    if (body.ok) {
      expect(body.data.title).toBe(value)
      const seen = await gateway.call(
        'issue.view',
        { ...repo, issueNumber: body.data.number },
        { query: { route: 'rest' } },
      )
      expect(seen.body.data.body).toBe(value)
    } else {
      expect(body.error.code).toBe('VALIDATION')
      expect(status).toBe(400)
    }
  })

  test.each(hostile)(
    'as a name: %s never becomes a path, a host or a flag',
    async (_name, value) => {
      gateway.sandbox.log.clear()
      for (const input of [
        { ...repo, owner: value },
        { ...repo, name: value },
      ]) {
        const { body } = await gateway.call('repo.view', input, { query: { route } })
        expect(body.ok).toBe(false)
        expect(['VALIDATION', 'NOT_FOUND']).toContain(body.error.code)
      }
      for (const { path } of gateway.sandbox.log.rows())
        expect(path).toMatch(/^\/(repos\/|graphql)/)
    },
  )

  test('a member named __proto__ is refused, and changes nothing', async () => {
    const response = await fetch(`${gateway.url}/v1/capabilities/issue.create?route=${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"owner":"octo-org","name":"hello-world","title":"x","__proto__":{"polluted":true}}',
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ ok: false, error: { code: 'VALIDATION' } })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})
