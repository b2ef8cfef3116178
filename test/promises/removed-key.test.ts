import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'
import { serve, temporaryDirectory } from '../commands/support/signalbox.ts'
import { githubEnv } from '../support/github.ts'

// The test starts a whole process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const REPO = { owner: 'octo-org', name: 'hello-world' }
const secretOf = (name: string) => `${name}-secret-0123456789`
const key = (name: string, more: object = {}) => ({ name, secret: secretOf(name), ...more })
const BOSS = key('boss', { operator: true })

test('a key that is taken out is refused within a second, its streams end, its running calls end well, and the audit says so', async () => {
  const directory = await temporaryDirectory()
  const sandbox = await createSandbox()
  const file = join(directory.path, 'signalbox.yaml')
  const write = (...keys: object[]) => writeFile(file, JSON.stringify({ keys }))
  await write(BOSS, key('agent'))
  const gateway = await serve({ ...githubEnv(sandbox.url), SIGNALBOX_CONFIG: file })
  onTestFinished(async () => {
    await gateway[Symbol.asyncDispose]()
    await sandbox.close()
    await directory[Symbol.asyncDispose]()
  })
  const headersOf = (name: string) => ({
    authorization: `Bearer ${secretOf(name)}`,
    'content-type': 'application/json',
  })
  const call = async (id: string, input: object) => {
    const url = `${gateway.url}/v1/capabilities/${id}?route=rest`
    const init = { method: 'POST', headers: headersOf('agent'), body: JSON.stringify(input) }
    const response = await fetch(url, init)
    return { status: response.status, body: (await response.json()) as { ok: boolean } }
  }
  const isRefused = async () =>
    (await fetch(`${gateway.url}/v1/profiles`, { headers: headersOf('agent') })).status === 401

  const took: number[] = []
  for (let round = 0; round < 3; round++) {
    sandbox.faults.set([{ on: { route: 'rest' }, do: { delay_ms: 3_000 } }])
    const running = [
      call('repo.view', REPO),
      call('issue.create', { ...REPO, title: `Running ${round}` }),
    ]
    await expect.poll(() => sandbox.log.rows().length).toBeGreaterThanOrEqual(2 * (round + 1))
    const stream = await fetch(`${gateway.url}/v1/requests/stream`, { headers: headersOf('agent') })
    const streamEnded = stream.text()
    await write(BOSS)
    const began = performance.now()
    while (!(await isRefused())) await new Promise(resolve => setTimeout(resolve, 20))
    await streamEnded
    took.push(performance.now() - began)
    const ended = await Promise.all(running)
    expect(ended.map(({ status, body }) => [status, body.ok])).toEqual([
      [200, true],
      [200, true],
    ])
    sandbox.faults.clear()
    expect((await call('repo.view', REPO)).status).toBe(401)
    await write(BOSS, key('agent', { read_only: round % 2 === 0 }))
    await expect.poll(isRefused, { timeout: 10_000 }).toBe(false)
    await write(BOSS, key('agent'))
    await expect
      .poll(async () => (await call('issue.create', {})).status, { timeout: 10_000 })
      .toBe(400)
  }
  // Other processes of the machine may take the time of one round.
  expect(Math.min(...took)).toBeLessThan(1_000)

  const response = await fetch(`${gateway.url}/v1/audit?subject=agent&limit=200`, {
    headers: headersOf('boss'),
  })
  const { data } = (await response.json()) as { data: { items: Record<string, unknown>[] } }
  const actions = data.items.map(({ action }) => action)
  expect(actions.filter(action => action === 'key.removed')).toHaveLength(3)
  expect(actions.filter(action => action === 'key.added')).toHaveLength(3)
  expect(data.items.find(({ action }) => action === 'key.changed')).toMatchObject({
    actor: '(gateway)',
    reason: 'The settings were read again.',
    details: { changed: ['read_only'] },
  })
  expect(JSON.stringify(data)).not.toContain(secretOf('agent'))
})
