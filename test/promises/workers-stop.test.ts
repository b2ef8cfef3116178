import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { serve, temporaryDirectory } from '../commands/support/signalbox.ts'
import { githubEnv } from '../support/github.ts'
import { postgres } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { call, send, startWorkers } from './support/workers.ts'

// Each worker takes more than a second of a core to start.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })
const PATIENCE = { timeout: 60_000 }
const READS = 5

describe.runIf(postgres.available)('a gateway whose PostgreSQL is away', () => {
  const open = new AsyncDisposableStack()
  let sandbox: Sandbox
  let database: TestPostgres
  let directory: string
  beforeAll(async () => {
    sandbox = open.use(await createSandbox())
    database = open.adopt(await startPostgres(), server => server.remove())
    directory = open.use(await temporaryDirectory()).path
  })
  afterEach(() => database.start().catch(() => {}))
  afterAll(() => open.disposeAsync())

  const received = (method: string) =>
    sandbox.log.rows().filter(row => row.method === method).length

  test.each([1, 2])(
    'answers the calls that hang at its stop, and keeps each record (workers: %i)',
    async workers => {
      sandbox.reset()
      const spill = join(directory, `spill-${workers}`)
      const env = {
        ...githubEnv(sandbox.url),
        SIGNALBOX_JOURNAL: await database.createDatabase(),
        SIGNALBOX_JOURNAL_SPILL: spill,
        SIGNALBOX_SHUTDOWN_MS: '2000',
        SIGNALBOX_TIMEOUT_MS: '60000',
        SIGNALBOX_ATTEMPT_TIMEOUT_MS: '60000',
      }
      const gateway = await startWorkers(workers, env)
      sandbox.faults.set([
        { on: { route: 'rest', path: '/issues' }, do: { delay_ms: 60_000 }, times: 2 },
      ])
      const hanging = [
        call(gateway, 'issue.create', { title: 'Cut off' }),
        call(gateway, 'issue.list', {}),
      ]
      await expect.poll(() => received('POST') + received('GET'), PATIENCE).toBe(2)
      await database.stop()
      const answers = await Promise.all(
        Array.from({ length: READS }, (_, at) => call(gateway, 'issue.view', { issueNumber: at })),
      )
      gateway.signal('SIGTERM')
      const [written, read] = await Promise.all(hanging)
      expect(written?.body.error).toMatchObject({ write_outcome: 'unknown' })
      expect(read?.body.ok).toBe(false)
      expect(await gateway.ended()).toBe(0)
      expect((await readdir(directory)).some(name => name.startsWith(`spill-${workers}`))).toBe(
        true,
      )

      await database.start()
      await using again = await startWorkers(workers, env)
      const ids = [written, read, ...answers].map(one => one?.body.meta.request_id)
      const recorded = async () => {
        const { body } = await send(again, { path: '/v1/requests?limit=100' })
        return body.data.items?.map(item => item.request_id) ?? []
      }
      await expect.poll(recorded, PATIENCE).toEqual(expect.arrayContaining(ids))
    },
  )

  test('starts the other workers meanwhile, and others in the place of those that die', async () => {
    const SIGNALBOX_JOURNAL = await database.createDatabase()
    const env = { ...githubEnv(sandbox.url), SIGNALBOX_JOURNAL, SIGNALBOX_WORKERS: '2' }
    await using gateway = await serve(env)
    // The other worker loads its code meanwhile.
    await database.stop()
    const listening = () => {
      const lines = gateway.log().split('\n')
      return lines.filter(line => line.includes('listening on')).map(line => JSON.parse(line).pid)
    }
    await expect.poll(listening, PATIENCE).toHaveLength(2)
    for (const pid of listening()) process.kill(pid, 'SIGKILL')
    await expect.poll(listening, PATIENCE).toHaveLength(4)
    expect((await send(gateway, { path: '/readyz' })).status).toBe(200)
    const { status, body } = await call(gateway, 'issue.view', { issueNumber: 1 })
    expect(status).toBe(200)
    await database.start()
    const found = async () =>
      (await send(gateway, { path: `/v1/requests/${body.meta.request_id}` })).status
    await expect.poll(found, PATIENCE).toBe(200)
    expect(await gateway.stop()).toBe(0)
  })

  test('ends with the reason when no worker can start', async () => {
    const env = { SIGNALBOX_JOURNAL: 'postgres://postgres@127.0.0.1:1/none' }
    await expect(serve({ ...env, SIGNALBOX_WORKERS: '2' })).rejects.toThrow(/cannot be opened/)
  })
})
