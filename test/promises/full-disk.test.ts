import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { DISKS } from '../support/full-disk.ts'
import { githubEnv } from '../support/github.ts'
import { postgres } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { startGatewayProcess } from '../support/process.ts'
import { lostBy, missingFrom, readiness, view, viewMany } from './support/gateway-on-record.ts'

// Each test starts two processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox()
})
afterAll(() => sandbox.close())

async function start(more: Record<string, string>) {
  const gateway = await startGatewayProcess({ ...githubEnv(sandbox.url), ...more })
  onTestFinished(() => void gateway.child.kill('SIGKILL'))
  return gateway
}

const SOON = { timeout: 20_000 }

describe.each(DISKS)('$name', ({ available, open }) => {
  test.runIf(available)('fails no call, and what was answered is filed later', async () => {
    const disk = open()
    const env = { SIGNALBOX_JOURNAL: join(disk.directory, 'journal.sqlite') }
    const gateway = await start(env)
    const ids = [...(await viewMany(gateway, 5))]
    disk.fill(gateway)
    const degraded = async () => {
      ids.push(await view(gateway))
      return await readiness(gateway)
    }
    await expect.poll(degraded, SOON).toBe('degraded')
    ids.push(...(await viewMany(gateway, 150)))
    disk.free(gateway)
    await expect.poll(() => readiness(gateway), SOON).toBe('ready')
    expect(await missingFrom(gateway, ids)).toEqual([])
    expect(await gateway.end('SIGTERM')).toBe(0)
    const next = await start(env)
    expect(await missingFrom(next, ids)).toEqual([])
  })

  test.runIf(available)('at the end too: the log has the number of lost records', async () => {
    const disk = open()
    const env = { SIGNALBOX_JOURNAL: join(disk.directory, 'journal.sqlite') }
    const gateway = await start(env)
    const before = await viewMany(gateway, 5)
    disk.fill(gateway)
    const ids = [...before, ...(await viewMany(gateway, 150))]
    expect(await gateway.end('SIGTERM')).toBe(1)
    const lost = lostBy(gateway)
    expect(lost).toBeGreaterThan(0)
    disk.free(gateway)
    const next = await start(env)
    const missing = await missingFrom(next, ids)
    expect(missing).toHaveLength(lost)
    expect(missing).not.toEqual(expect.arrayContaining([before[0]]))
  })
})

const [fileSystem] = DISKS

describe.runIf(postgres.available && fileSystem?.available)('PostgreSQL away as well', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  test('and no room to spill: the log has the number of lost records', async () => {
    const disk = fileSystem!.open()
    const gateway = await start({
      SIGNALBOX_JOURNAL: await server.createDatabase(),
      SIGNALBOX_JOURNAL_SPILL: join(disk.directory, 'spill.jsonl'),
    })
    disk.fill(gateway)
    await server.stop()
    await viewMany(gateway, 3)
    expect(await gateway.end('SIGTERM')).toBe(1)
    expect(lostBy(gateway)).toBe(3)
  })
})
