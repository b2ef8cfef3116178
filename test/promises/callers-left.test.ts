import { request } from 'node:http'
import { expect, test, vi } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'
import { serve, temporaryDirectory } from '../commands/support/signalbox.ts'
import { githubEnv } from '../support/github.ts'
import { REPOSITORY, send, startWorkers } from './support/workers.ts'

// Each worker takes more than a second of a core to start.
vi.setConfig({ testTimeout: 180_000 })
const PATIENCE = { timeout: 60_000 }
const CALL = { capability: 'issue.create', input: { ...REPOSITORY, title: 'Left' } }

const DOORS = [
  ['/v1/capabilities/issue.create?route=rest', CALL.input],
  ['/v1/batch', { calls: [{ ...CALL, route: 'rest' }] }],
  [
    '/mcp',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'call', arguments: { ...CALL, route: 'rest' } },
    },
  ],
] as const

/** Sends a call. @returns a function that breaks the connection off */
function begin(url: string, path: string, body: object): () => void {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const sent = request(`${url}${path}`, { method: 'POST', agent: false, headers })
  sent.on('error', () => {})
  sent.end(JSON.stringify(body))
  return () => void sent.destroy()
}

test.each([
  [1, 'cuts off changes', 25_000, { ok: false, write_outcome: 'unknown' }],
  [2, 'cuts off changes', 25_000, { ok: false, write_outcome: 'unknown' }],
  [1, 'waits for changes', 4_000, { ok: true, write_outcome: null }],
  [2, 'waits for changes', 4_000, { ok: true, write_outcome: null }],
] as const)(
  'a stop (workers: %i) %s whose callers have left, and keeps their records',
  async (workers, _, delay_ms, outcome) => {
    await using sandbox = await createSandbox()
    await using directory = await temporaryDirectory()
    const env = {
      ...githubEnv(sandbox.url),
      SIGNALBOX_JOURNAL: `${directory.path}/journal.sqlite`,
      SIGNALBOX_SHUTDOWN_MS: outcome.ok ? '30000' : '2000',
      SIGNALBOX_ATTEMPT_TIMEOUT_MS: '28000',
    }
    const gateway = await startWorkers(workers, env)
    sandbox.faults.set([{ on: { method: 'POST', path: '/issues' }, do: { delay_ms }, times: 9 }])
    const leave = DOORS.map(([path, body]) => begin(gateway.url, path, body))
    const arrived = () => sandbox.log.rows().filter(({ method }) => method === 'POST').length
    await expect.poll(arrived, PATIENCE).toBe(DOORS.length)
    for (const end of leave) end()

    const began = performance.now()
    expect(await gateway.stop()).toBe(0)
    expect(performance.now() - began).toBeLessThan(13_000)

    await using again = await serve(env)
    const { body } = await send(again, { path: '/v1/requests?capability=issue.create' })
    expect(body.data.items).toMatchObject(DOORS.map(() => outcome))
  },
)
