import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { temporaryDirectory } from '../commands/support/signalbox.ts'
import { githubEnv } from '../support/github.ts'
import { missingFrom } from './support/gateway-on-record.ts'
import { call, send, startWorkers, type Workers } from './support/workers.ts'
import { startClients, titlesIn } from './support/workers-load.ts'

// Each worker takes more than a second of a core to start.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const PATIENCE = { timeout: 60_000 }
const CLIENTS = 8
/** Three times as long as a worker waits before it reports its records. */
const STOPPED_MS = 300

const open = new AsyncDisposableStack()
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = open.use(await createSandbox())
})
afterAll(() => open.disposeAsync())

const killWorkers = (gateway: Workers) => {
  for (const pid of gateway.pids().values()) process.kill(pid, 'SIGKILL')
}
const DEATHS = [
  { who: 'the primary process', kill: (gateway: Workers) => gateway.signal('SIGKILL') },
  {
    who: 'every process, the primary process first',
    kill: (gateway: Workers) => {
      gateway.signal('SIGKILL')
      killWorkers(gateway)
    },
  },
  {
    who: 'every process, the primary process last',
    kill: (gateway: Workers) => {
      killWorkers(gateway)
      gateway.signal('SIGKILL')
    },
  },
  {
    who: 'the primary process, which has filed nothing for a while',
    kill: async (gateway: Workers) => {
      gateway.signal('SIGSTOP')
      // Workers answer reads meanwhile, and calls wait that ask the primary process for something.
      await delay(STOPPED_MS)
      gateway.signal('SIGKILL')
    },
  },
] as const

test.each(DEATHS.flatMap(death => [1, 2].map(next => ({ ...death, next }))))(
  'kill -9 of $who under load loses no answer and doubles no write (workers that start next: $next)',
  async ({ kill, next }) => {
    sandbox.reset()
    await using directory = await temporaryDirectory()
    const journal = join(directory.path, 'journal.sqlite')
    const env = { ...githubEnv(sandbox.url), SIGNALBOX_JOURNAL: journal }
    await using gateway = await startWorkers(2, env)
    const clients = startClients((...of) => call(gateway, ...of), CLIENTS)
    await expect.poll(() => clients.made.length, PATIENCE).toBeGreaterThan(CLIENTS)
    await kill(gateway)
    await gateway.ended()
    await clients.end()

    await using again = await startWorkers(next, env)
    expect(await missingFrom(again, clients.answered)).toEqual([])
    const { body } = await send(again, { path: '/v1/requests?limit=200' })
    const ids = body.data.items?.map(({ request_id }) => request_id) ?? []
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    const found = titlesIn(sandbox)
    expect(found.toSorted()).toEqual([...new Set(found)].toSorted())
    expect(clients.made.filter(title => !found.includes(title))).toEqual([])
    expect(await again.stop()).toBe(0)
    const left = readdirSync(dirname(journal))
    expect(left.filter(name => name.startsWith(`${basename(journal)}-inbox.`))).toEqual([])
  },
)
