import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'
import { DISKS } from '../support/full-disk.ts'
import { githubEnv } from '../support/github.ts'
import type { GatewayProcess } from '../support/process.ts'
import { missingFrom } from './support/gateway-on-record.ts'
import { call, startWorkers } from './support/workers.ts'

// Each worker takes more than a second of a core to start.
vi.setConfig({ testTimeout: 180_000 })
const PATIENCE = { timeout: 60_000 }
const [fileSystem] = DISKS

describe.runIf(fileSystem?.available)('workers whose journal is on a full disk', () => {
  test('are replaced when they die, and record what they answered when there is room again', async () => {
    await using sandbox = await createSandbox()
    const disk = (fileSystem as (typeof DISKS)[number]).open()
    await using gateway = await startWorkers(2, {
      ...githubEnv(sandbox.url),
      SIGNALBOX_JOURNAL: join(disk.directory, 'journal.sqlite'),
    })
    const none = {} as GatewayProcess
    disk.fill(none)
    const old = [...gateway.pids().values()]
    for (const pid of old) process.kill(pid, 'SIGKILL')
    const left = () => [...gateway.pids().values()].filter(pid => old.includes(pid))
    await expect.poll(left, PATIENCE).toEqual([])
    const answers = await Promise.all(
      [1, 2].map(issueNumber => call(gateway, 'issue.view', { issueNumber })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])

    disk.free(none)
    const ids = answers.map(({ body }) => body.meta.request_id)
    await expect.poll(() => missingFrom(gateway, ids), PATIENCE).toEqual([])
    expect(await gateway.stop()).toBe(0)
  })
})
