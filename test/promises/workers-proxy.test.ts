import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'
import { githubEnv } from '../support/github.ts'
import { nginx } from '../support/parts.ts'
import { missingFrom } from './support/gateway-on-record.ts'
import { startNginx } from './support/nginx.ts'
import { type Answer, REPOSITORY, startWorkers } from './support/workers.ts'
import { titlesIn } from './support/workers-load.ts'

const PER_SECOND = 60
const PATIENCE = { timeout: 120_000 }

test.skipIf(!nginx.available)(
  'four workers are replaced one by one behind a proxy, and every call is answered and applied once',
  async () => {
    await using sandbox = await createSandbox()
    const env = { ...githubEnv(sandbox.url), SIGNALBOX_DRAIN_MS: '2000' }
    await using gateway = await startWorkers(4, env)
    await using proxy = await startNginx(gateway.url)
    const answers: Promise<Answer>[] = []
    const titles: string[] = []
    const callOnce = () => {
      const isWrite = answers.length % 4 === 0
      const title = `Made by ${answers.length}`
      if (isWrite) titles.push(title)
      const body = { ...REPOSITORY, ...(isWrite ? { title } : { issueNumber: 1 }) }
      const path = `/v1/capabilities/issue.${isWrite ? 'create' : 'view'}?route=rest`
      answers.push(proxy.send({ path, body }))
    }
    const load = new AbortController()
    const loading = (async () => {
      for (; !load.signal.aborted; await delay(1000 / PER_SECOND)) callOnce()
    })()
    for (const [slot, pid] of gateway.pids()) {
      process.kill(pid, 'SIGTERM')
      await expect.poll(() => gateway.pids().get(slot), PATIENCE).not.toBe(pid)
    }
    load.abort()
    await loading
    const got = await Promise.all(answers)

    expect(got.filter(({ status }) => status !== 200)).toEqual([])
    const ids = got.map(({ body }) => body.meta.request_id)
    expect(new Set(ids).size).toBe(answers.length)
    expect(await missingFrom(gateway, ids)).toEqual([])
    expect(titlesIn(sandbox).toSorted()).toEqual(titles.toSorted())
  },
  300_000,
)
