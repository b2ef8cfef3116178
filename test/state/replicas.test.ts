import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { githubEnv } from '../support/github.ts'
import { postgres, redis } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/process.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }
const CLIENTS = 12

interface Answered {
  readonly requestId: string
  /** The title of the new issue, from which its Idempotency-Key is made; null for a read. */
  readonly title: string | null
  readonly ok: boolean
}

describe.runIf(postgres.available && redis.available)('two gateways on one database', () => {
  let database: TestPostgres
  let state: TestRedis
  let sandbox: Sandbox
  beforeAll(async () => {
    ;[database, state, sandbox] = await Promise.all([
      startPostgres(),
      startRedis(),
      createSandbox(),
    ])
  })
  afterAll(() => Promise.all([database.remove(), state.remove(), sandbox.close()]))

  test('lose nothing and repeat nothing when one is killed under load', async () => {
    const env = {
      ...githubEnv(sandbox.url),
      SIGNALBOX_JOURNAL: await database.createDatabase(),
      SIGNALBOX_STATE: state.createDatabase(),
    }
    const gateways = [await startGatewayProcess(env), await startGatewayProcess(env)] as const
    onTestFinished(async () => void (await gateways[1].end('SIGKILL')))
    const answered: Answered[] = []
    let cutOff = 0
    let stopped = false
    const client = async (number: number) => {
      for (let turn = 0; !stopped; turn++) {
        const title = turn % 3 === 0 ? `Made by client ${number} in turn ${turn}` : null
        const first = (number + turn) % 2
        // As behind a load balancer, a client whose connection breaks tries again on the other.
        const answer =
          (await call(gateways[first as 0 | 1], title)) ?? (await call(gateways[1], title))
        if (answer) answered.push(answer)
        else cutOff++
      }
    }
    const clients = Array.from({ length: CLIENTS }, (_, number) => client(number))

    await expect.poll(() => answered.length, { timeout: 30_000 }).toBeGreaterThan(300)
    await gateways[0].end('SIGKILL')
    const atKill = answered.length
    await expect.poll(() => answered.length - atKill, { timeout: 30_000 }).toBeGreaterThan(100)
    stopped = true
    await Promise.all(clients)

    expect(cutOff).toBe(0)
    expect(await missing(gateways[1], answered)).toEqual([])
    expect(contradicted(sandbox, answered)).toEqual([])
  }, 120_000)
})

/** @returns null if the connection broke. */
async function call({ url }: GatewayProcess, title: string | null): Promise<Answered | null> {
  const [id, input] =
    title === null ? ['issue.view', { issueNumber: 1 }] : ['issue.create', { title }]
  const headers = { 'content-type': 'application/json' }
  const key = title === null ? {} : { 'idempotency-key': title.replaceAll(' ', '-') }
  try {
    const response = await fetch(`${url}/v1/capabilities/${id}?route=rest`, {
      method: 'POST',
      headers: { ...headers, ...key },
      body: JSON.stringify({ ...REPOSITORY, ...(input as object) }),
    })
    // oxlint-disable-next-line typescript/no-explicit-any -- answers of several capabilities
    const { ok, meta } = (await response.json()) as any
    return { requestId: meta.request_id, title, ok }
  } catch {
    return null
  }
}

/** The ids of answered requests that the journal does not have. */
async function missing({ url }: GatewayProcess, answered: readonly Answered[]): Promise<string[]> {
  const ids: string[] = []
  for (const { requestId } of answered) {
    const response = await fetch(`${url}/v1/requests/${requestId}`)
    if (response.status !== 200) ids.push(requestId)
  }
  return ids
}

/** Issues that exist more or less often than their answer says. */
function contradicted({ store }: Sandbox, answered: readonly Answered[]): string[] {
  const { owner, name } = REPOSITORY
  const titles = [...(store.repositories.find(owner, name)?.items.values() ?? [])].map(
    item => item.title,
  )
  return answered.flatMap(({ title, ok }) => {
    if (title === null) return []
    const made = titles.filter(one => one === title).length
    // A repeat that is refused while the first may be running says nothing about the first.
    const possible = ok ? [1] : [0, 1]
    return possible.includes(made) ? [] : [`${title}: ${made}, ok: ${ok}`]
  })
}
