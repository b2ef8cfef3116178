import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { githubEnv } from '../support/github.ts'
import { startGatewayProcess } from '../support/process.ts'

// Each test starts two processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let directory: string
let sandbox: Sandbox
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-'))
  sandbox = await createSandbox()
})
afterAll(async () => {
  await sandbox.close()
  await rm(directory, { recursive: true })
})

function environment(name: string) {
  return {
    ...githubEnv(sandbox.url),
    SIGNALBOX_JOURNAL: join(directory, name),
  }
}

async function call(url: string, id: string, input: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/v1/capabilities/${id}?route=rest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(input),
  })
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of several capabilities
  return (await response.json()) as any
}

test('a write in flight at a kill -9 is unknown afterwards, and its key prevents a second one', async () => {
  const env = environment('write.sqlite')
  const gateway = await startGatewayProcess(env)
  const input = { owner: 'octo-org', name: 'hello-world', title: 'In flight' }
  const headers = { 'idempotency-key': 'in-flight-1', 'x-request-id': 'in-flight-request' }
  sandbox.faults.set([{ on: { method: 'POST' }, do: { hang: true } }])
  sandbox.log.clear()
  const cut = call(gateway.url, 'issue.create', input, headers).catch(() => 'cut off')
  await expect.poll(() => sandbox.log.rows().length, { timeout: 10_000 }).toBeGreaterThan(0)
  await gateway.end('SIGKILL')
  expect(await cut).toBe('cut off')
  sandbox.faults.clear()

  const again = await startGatewayProcess(env)
  const list = `${again.url}/v1/requests?correlation_id=in-flight-request`
  const kept = (await (await fetch(list)).json()) as { data: { items: unknown[] } }
  expect(kept.data.items).toEqual([
    expect.objectContaining({
      ok: false,
      write_outcome: 'unknown',
      reason: 'WRITE_OUTCOME_UNKNOWN',
      // Nobody measured the one or sent the other.
      duration_ms: null,
      http_status: null,
    }),
  ])
  for (const filter of ['http_status=502', 'http_status=5xx', 'min_duration_ms=1']) {
    const found = (await (await fetch(`${list}&${filter}`)).json()) as typeof kept
    expect(found.data.items).toEqual([])
  }
  const repeated = await call(again.url, 'issue.create', input, {
    'idempotency-key': 'in-flight-1',
  })
  expect(repeated.ok).toBe(true)
  const items = sandbox.store.repositories.find('octo-org', 'hello-world')?.items.values() ?? []
  expect([...items].filter(({ title }) => title === 'In flight')).toHaveLength(1)
  expect(await again.end('SIGTERM')).toBe(0)
})

test('the advice about a write of a gateway that died looks back to that write, not to the repeat', async () => {
  sandbox.reset()
  const env = { ...environment('advice.sqlite'), SIGNALBOX_RETRIES: '0' }
  const gateway = await startGatewayProcess(env)
  const input = { owner: 'octo-org', name: 'hello-world', issueNumber: 1, body: 'In flight' }
  const headers = { 'idempotency-key': 'in-flight-2' }
  sandbox.faults.set([{ on: { method: 'POST' }, do: { hang: true } }])
  sandbox.log.clear()
  const cut = call(gateway.url, 'issue.comments.create', input, headers).catch(() => 'cut off')
  await expect.poll(() => sandbox.log.rows().length, { timeout: 10_000 }).toBeGreaterThan(0)
  await gateway.end('SIGKILL')
  expect(await cut).toBe('cut off')
  const keys = new DatabaseSync(env.SIGNALBOX_JOURNAL)
  keys.exec('UPDATE idempotency SET time = time - 3600000')
  keys.close()

  const again = await startGatewayProcess(env)
  sandbox.faults.set([{ do: { status: 502 }, times: 1000 }])
  const { error } = await call(again.url, 'issue.comments.create', input, headers)
  sandbox.faults.clear()
  expect(error).toMatchObject({ write_outcome: 'unknown', next: { action: 'verify' } })
  expect(Date.parse(error.next.input.since)).toBeLessThan(Date.now() - 3_600_000)
  expect(await again.end('SIGTERM')).toBe(0)
})

test('after a kill -9, a repeated call does not take what another call made for its own', async () => {
  sandbox.reset()
  const env = { ...environment('twins.sqlite'), SIGNALBOX_RETRIES: '0' }
  const gateway = await startGatewayProcess(env)
  const input = { owner: 'octo-org', name: 'hello-world', title: 'Twin' }
  const headers = { 'idempotency-key': 'twin-1' }
  // The first never arrives; the second is made.
  sandbox.faults.set([{ on: { method: 'POST' }, do: { delay_ms: 60_000 }, times: 1 }])
  sandbox.log.clear()
  const cut = call(gateway.url, 'issue.create', input, headers).catch(() => 'cut off')
  await expect.poll(() => sandbox.log.rows().length, { timeout: 10_000 }).toBeGreaterThan(0)
  expect(await call(gateway.url, 'issue.create', input)).toMatchObject({ ok: true })
  await gateway.end('SIGKILL')
  expect(await cut).toBe('cut off')

  const again = await startGatewayProcess(env)
  const { error } = await call(again.url, 'issue.create', input, headers)
  expect(error).toMatchObject({ write_outcome: 'unknown', next: { action: 'verify' } })
  const items = sandbox.store.repositories.find('octo-org', 'hello-world')?.items.values() ?? []
  expect([...items].filter(({ title }) => title === 'Twin')).toHaveLength(1)
  expect(await again.end('SIGTERM')).toBe(0)
})
