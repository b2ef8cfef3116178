import { setTimeout as delay } from 'node:timers/promises'
import { describe, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import type { Envelope } from '../../src/model/envelope.ts'
import { temporaryDirectory } from '../commands/support/signalbox.ts'
import { githubEnv } from '../support/github.ts'
import { type HoldingProxy, openHoldingProxy } from '../support/holding-proxy.ts'
import { postgres, redis } from '../support/parts.ts'
import { startPostgres } from '../support/postgres.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/process.ts'
import { startRedis } from '../support/redis.ts'
import { REPOSITORY } from './support/workers.ts'

vi.setConfig({ testTimeout: 300_000 })
/** The others count a gateway as dead after half a minute, and give up asking for the key after another one. */
const MOST_ASKS = 60
/** Longer than it takes until the other gateway has made the change. */
const RETRY_AFTER_S = 75
const TITLE = 'only once'

/** How a gateway gets lost, and comes back. */
const WAYS: Readonly<Record<string, (gateway: GatewayProcess, proxy: HoldingProxy) => () => void>> =
  {
    'stands still': ({ child }) => {
      child.kill('SIGSTOP')
      return () => child.kill('SIGCONT')
    },
    'is cut off from the store': (_, proxy) => {
      proxy.hold()
      return () => {}
    },
  }

const STORES = {
  PostgreSQL: {
    variable: 'SIGNALBOX_JOURNAL',
    part: postgres,
    async start(open: AsyncDisposableStack) {
      const server = open.adopt(await startPostgres(), one => one.remove())
      return await server.createDatabase()
    },
  },
  Redis: {
    variable: 'SIGNALBOX_STATE',
    part: redis,
    async start(open: AsyncDisposableStack) {
      return open.adopt(await startRedis(), one => one.remove()).createDatabase()
    },
  },
} as const

async function startGateway(open: AsyncDisposableStack, env: Record<string, string>) {
  return open.adopt(
    await startGatewayProcess(env),
    async gateway => void (await gateway.end('SIGKILL')),
  )
}

async function createIssue({ url }: GatewayProcess) {
  const response = await fetch(`${url}/v1/capabilities/issue.create?route=rest&timeout_ms=150000`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
    body: JSON.stringify({ ...REPOSITORY, title: TITLE }),
  })
  return { status: response.status, body: (await response.json()) as Envelope }
}

/** Asks as an agent does, until the key is free. */
async function createWhenFree(gateway: GatewayProcess) {
  for (let n = 0; ; n++) {
    const answer = await createIssue(gateway)
    if (answer.status !== 409 || n === MOST_ASKS) return answer
    await delay(1_000)
  }
}

/** Two gateways of one store; one reaches it by way of a proxy. The service refuses the first issue for a while. */
async function startTwo(open: AsyncDisposableStack, store: (typeof STORES)[keyof typeof STORES]) {
  const sandbox = open.use(await createSandbox())
  const { path } = open.use(await temporaryDirectory())
  const url = await store.start(open)
  const proxy = open.use(await openHoldingProxy(url))
  const startOne = (name: string, address: string) =>
    startGateway(open, {
      ...githubEnv(sandbox.url),
      SIGNALBOX_JOURNAL: `${path}/${name}.sqlite`,
      SIGNALBOX_JOURNAL_SPILL: `${path}/${name}.jsonl`,
      [store.variable]: address,
    })
  const busy = { status: 503, headers: { 'retry-after': String(RETRY_AFTER_S) } }
  sandbox.faults.set([{ on: { method: 'POST', path: '/issues$' }, do: busy, times: 1 }])
  const lost = await startOne('lost', proxy.through(url))
  return { sandbox, proxy, lost, other: await startOne('other', url) }
}

function issuesMade({ store }: Sandbox): number {
  const items = store.repositories.find(REPOSITORY.owner, REPOSITORY.name)?.items.values()
  return [...(items ?? [])].filter(({ title }) => title === TITLE).length
}

/** The HTTP statuses of all records of a request. */
async function recordsOf({ url }: GatewayProcess, id: string): Promise<readonly number[]> {
  const answer = await fetch(`${url}/v1/requests?request_id=${id}`)
  const { data } = (await answer.json()) as { data: { items: { http_status: number }[] } }
  return data.items.map(({ http_status }) => http_status)
}

const cells = Object.entries(STORES).flatMap(([store, facts]) =>
  Object.entries(WAYS).map(([way, lose]) => ({ store, way, lose, facts })),
)

describe.concurrent('a gateway that others take for dead', () => {
  for (const { store, way, lose, facts } of cells) {
    test.runIf(facts.part.available)(
      `repeats no change that another may have made: it ${way}, keys in ${store}`,
      async ({ expect }) => {
        await using open = new AsyncDisposableStack()
        const { sandbox, proxy, lost, other } = await startTwo(open, facts)
        const first = createIssue(lost)
        const reads = () => sandbox.log.rows().filter(({ method }) => method === 'GET').length
        // The gateway has looked for the issue, and waits to send it again.
        await expect.poll(reads, { timeout: 60_000 }).toBeGreaterThan(2)
        await delay(500)
        const comeBack = lose(lost, proxy)
        const taken = await createWhenFree(other)
        expect(taken.body).toMatchObject({ ok: true })
        comeBack()
        const { status, body } = await first
        expect(issuesMade(sandbox)).toBe(1)
        expect(body.error).toMatchObject({ retryable: true, write_outcome: 'not_applied' })
        const message = expect.stringContaining('another one may hold this key')
        expect(body.meta.attempts?.at(-1)).toMatchObject({ error_code: 'SERVER', message })

        proxy.release()
        const again = await createWhenFree(lost)
        expect(again.body.data).toEqual(taken.body.data)
        if (store !== 'PostgreSQL') return
        const records = () => recordsOf(other, body.meta.request_id)
        await expect.poll(records, { timeout: 60_000 }).toEqual([status])
      },
    )
  }
})
