import { createHash } from 'node:crypto'
import { load } from 'js-yaml'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { exampleOfCard } from '../../src/cards/card-example.ts'
import type { SettingsFile } from '../../src/gateway/config.ts'
import { blocks, readPage } from '../docs/pages.ts'
import { repositoryIn, userIn } from '../parity/worlds.ts'
import { startTestGateway } from '../support/gateway.ts'

// Each test makes hundreds of calls, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const REPO = { owner: 'octo-org', name: 'hello-world' }
const secretOf = (name: string) => `${name}-secret-0123456789`
const headersOf = (name: string) => ({
  authorization: `Bearer ${secretOf(name)}`,
  'content-type': 'application/json',
})

/** A gateway with the settings of a section of the page, where each key has a secret. */
async function startRecipe(section: string) {
  const [yaml = ''] = blocks(readPage('docs/trust.md'), 'yaml', section)
  const settings = load(yaml) as SettingsFile
  const keys = (settings.keys ?? []).map(key => ({
    ...key,
    secret_sha256: createHash('sha256').update(secretOf(key.name)).digest('hex'),
  }))
  const gateway = await startTestGateway({ settings: { ...settings, keys }, env: { PATH: '' } })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  const cards = gateway.engine.catalog.all()
  const inputOf = (id: string) => {
    const card = gateway.engine.catalog.get(id)
    return card && exampleOfCard(card).input
  }
  return {
    gateway,
    cards,
    inputOf,
    call: (name: string, id: string, input: unknown, headers: Record<string, string> = {}) =>
      gateway.call(id, input, { headers: { ...headersOf(name), ...headers } }),
    tools: async (name: string) => {
      const headers = { ...headersOf(name), accept: 'application/json, text/event-stream' }
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      const init = { method: 'POST', headers, body: JSON.stringify(message) }
      const text = await (await fetch(`${gateway.url}/mcp?tools=all`, init)).text()
      const { result } = JSON.parse(text.replace(/^(event: \w+\n)?data: /, ''))
      return (result.tools as { name: string }[]).map(tool => tool.name)
    },
    decide: async (name: string, id: string) => {
      const body = JSON.stringify({ decision: 'approve' })
      const init = { method: 'POST', headers: headersOf(name), body }
      return (await fetch(`${gateway.url}/v1/approvals/${id}`, init)).status
    },
    applied: () => gateway.sandbox.log.rows().filter(({ applied }) => applied).length,
  }
}

describe('a read-only agent', () => {
  test('reads, changes nothing, sees nothing that changes, and stops at its limit', async () => {
    const recipe = await startRecipe('A read-only agent')
    const { cards, call } = recipe
    const writes = cards.filter(({ effect }) => effect !== 'read').map(({ id }) => id)
    expect((await call('reader', 'repo.view', REPO)).body.ok).toBe(true)
    const names = await recipe.tools('reader')
    expect(names).toContain('repo_view')
    const seen = writes.filter(id => names.includes(id.replaceAll('.', '_')))
    expect(seen).toEqual([])
    for (const id of writes) {
      const { body } = await call('reader', id, recipe.inputOf(id) ?? {})
      expect(`${id} ${body.error.code}`).toBe(`${id} FORBIDDEN`)
    }
    const own = { 'x-upstream-authorization': 'Bearer sandbox-token' }
    expect((await call('reader', 'repo.view', REPO, own)).body.error.code).toBe('FORBIDDEN')
    // Twice the limit of a minute, at once: however slow the machine is, the limit does not fill up so far.
    const calls = Array.from({ length: 240 }, () => call('reader', 'repo.view', REPO))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses).toContain(429)
    expect(recipe.applied()).toBe(0)
  })
})

describe('an agent that may open, but not merge', () => {
  test('opens, and merges only after a person has approved', async () => {
    const recipe = await startRecipe('An agent that may open, but not merge')
    const { call, decide, gateway } = recipe
    const issue = { ...REPO, title: 'Found by the author' }
    expect((await call('author', 'issue.create', issue)).body.ok).toBe(true)
    const { store } = gateway.sandbox
    const fields = { author: userIn(store), message: 'New', changes: { 'new.txt': 'x' } }
    store.git.commit(repositoryIn(store), { ...fields, branch: 'fresh' })
    const pull = { ...REPO, title: 'Opened by the author', head: 'fresh', base: 'main' }
    const opened = await call('author', 'pr.create', pull)
    expect(opened.body.error).toBe(null)
    const merge = { ...REPO, prNumber: opened.body.data.number }

    const asked = await call('author', 'pr.merge', merge)
    expect(asked.body.error.code).toBe('APPROVAL_REQUIRED')
    const { approval_id } = asked.body.error.next
    expect(await decide('author', approval_id)).toBe(403)
    expect((await call('author', 'pr.merge', merge)).body.error.code).toBe('APPROVAL_REQUIRED')
    expect(await decide('maintainer', approval_id)).toBe(200)
    expect((await call('author', 'pr.merge', merge)).body).toMatchObject({
      ok: true,
      meta: { approval_id },
    })
    const { body } = await gateway.get(`/v1/audit?subject=${approval_id}`, headersOf('maintainer'))
    expect(
      body.data.items.map(({ action, actor }: Record<string, string>) => [action, actor]),
    ).toEqual([
      ['approval.used', 'author'],
      ['approval.approved', 'maintainer'],
      ['approval.asked', 'author'],
    ])
  })

  test('asks for each deletion, and may change nothing else', async () => {
    const recipe = await startRecipe('An agent that may open, but not merge')
    const applied = recipe.applied()
    const found: Record<string, string[]> = { APPROVAL_REQUIRED: [], FORBIDDEN: [] }
    for (const { id, effect, destructive } of recipe.cards) {
      const input = recipe.inputOf(id)
      const isOpen = /^(issue|pr)\./.test(id) && id !== 'pr.merge' && !destructive
      if (effect === 'read' || isOpen || input === undefined) continue
      const { code } = (await recipe.call('author', id, input)).body.error
      found[code]?.push(id)
      expect(`${id} ${code}`).toBe(
        `${id} ${/^(issue|pr)\./.test(id) ? 'APPROVAL_REQUIRED' : 'FORBIDDEN'}`,
      )
    }
    expect(found.APPROVAL_REQUIRED).toContain('issue.delete')
    expect(found.FORBIDDEN).toContain('repo.contents.put')
    expect(recipe.applied()).toBe(applied)
  })
})
