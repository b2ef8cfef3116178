import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, onTestFailed, onTestFinished, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { DISKS } from '../support/full-disk.ts'
import { githubEnv } from '../support/github.ts'
import { postgres } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/process.ts'

// Each test starts two processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 360_000, hookTimeout: 120_000 })

/** Enough for a full disk to refuse some of them. */
const MANY = 150
/** Enough for each worker to get some of them. */
const WARM_UP = 15

let sandbox: Sandbox
let server: TestPostgres
beforeAll(async () => {
  sandbox = await createSandbox()
  if (postgres.available) server = await startPostgres()
})
afterAll(async () => {
  await sandbox.close()
  await server?.remove()
})

/** A database that goes away before a stop. */
interface Place {
  readonly env: Record<string, string>
  takeAway(gateway: GatewayProcess): void | Promise<void>
  giveBack(gateway: GatewayProcess): void | Promise<void>
}

interface Row {
  readonly name: string
  readonly available: boolean
  /** Whether there is room for files beside the database. */
  readonly hasRoom: boolean
  /** Whether the database can be taken away from a gateway of several processes. */
  readonly isShared?: boolean
  readonly open: () => Place | Promise<Place>
}

const [fileSystem, fileSize] = DISKS

const ROWS: readonly Row[] = [
  { name: 'a locked SQLite file', available: true, hasRoom: true, open: openLocked },
  {
    name: 'SQLite on a full file system',
    available: fileSystem?.available ?? false,
    hasRoom: false,
    open: () => openFull(fileSystem),
  },
  {
    name: 'SQLite with a limit on the size of files',
    available: fileSize?.available ?? false,
    hasRoom: false,
    // The limit is that of one process.
    isShared: false,
    open: () => openFull(fileSize),
  },
  {
    name: 'PostgreSQL away',
    available: postgres.available,
    hasRoom: true,
    open: () => openPostgres(join(temporary(), 'spill.jsonl')),
  },
  {
    name: 'PostgreSQL away, and no room for files',
    available: postgres.available,
    hasRoom: false,
    // Nothing can be created below a file.
    open: () => openPostgres('/dev/null/spill.jsonl'),
  },
]

const CASES = ROWS.filter(({ available }) => available).flatMap(({ isShared = true, ...row }) =>
  [1, 2].filter(workers => workers === 1 || isShared).map(workers => ({ ...row, workers })),
)

test.each(CASES)(
  'a stop (workers: $workers) with $name keeps records, decisions and approvals, or says how many are lost',
  async ({ hasRoom, open, workers }) => {
    const place = await open()
    const config = join(temporary(), 'signalbox.yaml')
    await writeFile(config, JSON.stringify({ keys: KEYS }))
    const env = {
      ...githubEnv(sandbox.url),
      SIGNALBOX_CONFIG: config,
      SIGNALBOX_WORKERS: String(workers),
      ...place.env,
    }
    const gateway = await start(env)
    const { approval, answered } = await callWithApproval(gateway)

    await place.takeAway(gateway)
    onTestFinished(() => place.giveBack(gateway))
    const { error, id } = await answered
    expect(error).toMatchObject({ write_outcome: 'not_applied' })
    const ids = [id]
    for (let n = 0; n < MANY; n++) {
      ids.push((await ask(gateway, 'agent', '/v1/capabilities/repo.view', REPOSITORY)).id)
      await ask(gateway, 'operator', '/v1/upstreams/github/reset', {})
    }
    const code = await gateway.end('SIGTERM')
    const lost = lossesOf(gateway)
    expect(gateway.output()).not.toMatch(/^ +at /m)

    await place.giveBack(gateway)
    const next = await start(env)
    const kept = async () => ({
      records: await countRecords(next, ids),
      decisions: await countResets(next),
      returns: await isGood(next, approval),
    })
    const expected = {
      records: ids.length - lost.records,
      decisions: MANY - lost.decisions,
      returns: 1 - lost.returns,
    }
    await expect.poll(kept, { timeout: 30_000, interval: 500 }).toEqual(expected)
    expect(lost.records > 0).toBe(!hasRoom)
    expect(lost.decisions > 0).toBe(!hasRoom)
    expect(lost.returns > 0 && hasRoom).toBe(false)
    expect(code).toBe(hasRoom ? 0 : 1)
    expect(await next.end('SIGTERM')).toBe(0)
  },
)

const KEYS = [
  { name: 'agent', secret: 'agent-secret-0123456789', approve: ['write:*'] },
  { name: 'operator', secret: 'operator-secret-0123456789', operator: true },
]
const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }
const REFUSED = { status: 422, headers: {}, body: { message: 'Validation Failed' } }

async function start(env: Record<string, string>): Promise<GatewayProcess> {
  const gateway = await startGatewayProcess(env)
  onTestFinished(() => void gateway.child.kill('SIGKILL'))
  onTestFailed(() => console.error(gateway.output()))
  const listening = () => gateway.output().match(/"listening on/g)?.length
  await expect
    .poll(listening, { timeout: 150_000, interval: 200 })
    .toBe(Number(env.SIGNALBOX_WORKERS))
  return gateway
}

function lossesOf(gateway: GatewayProcess) {
  const last = gateway.output().trimEnd().split('\n').at(-1) ?? ''
  const numberIn = (pattern: RegExp) => Number(pattern.exec(last)?.[1] ?? 0)
  return {
    records: numberIn(/the journal has lost (\d+) record/),
    decisions: numberIn(/the audit has lost (\d+) decision/),
    returns: numberIn(/(\d+) approvals? left used/),
  }
}

/** Sends a call that a person has approved, and whose service changes nothing a while later. */
async function callWithApproval(gateway: GatewayProcess) {
  const input = { ...REPOSITORY, title: 'Refused later' }
  const path = '/v1/capabilities/issue.create?route=rest'
  // Each worker notes the first use of the credential as a decision.
  for (let n = 0; n < WARM_UP; n++) {
    await ask(gateway, 'agent', '/v1/capabilities/repo.view', REPOSITORY)
  }
  const { error } = await ask(gateway, 'agent', path, input)
  const approval = String(error?.details.approval_id)
  await ask(gateway, 'operator', `/v1/approvals/${approval}`, { decision: 'approve' })
  sandbox.reset()
  sandbox.faults.set([
    { on: { method: 'POST', path: '/issues' }, do: { delay_ms: 2000, ...REFUSED }, times: 1 },
  ])
  const answered = ask(gateway, 'agent', path, input)
  await expect.poll(() => sandbox.log.rows().some(({ method }) => method === 'POST')).toBe(true)
  return { approval, answered }
}

interface Answer {
  readonly data: {
    readonly status: string
    readonly items: readonly { readonly request_id: string; readonly reason: string }[]
  } | null
  readonly error: { readonly details: Record<string, unknown> } | null
  readonly id: string
}

async function ask(
  { url }: GatewayProcess,
  key: 'agent' | 'operator',
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${key}-secret-0123456789`,
      // Any worker may get the next request.
      connection: 'close',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Answer & { meta: { request_id: string } }
  return { ...answer, id: answer.meta.request_id }
}

async function countRecords(gateway: GatewayProcess, ids: readonly string[]): Promise<number> {
  const { data } = await ask(gateway, 'operator', '/v1/requests?limit=200')
  // The next start records the write whose record was lost as one that nobody knows the outcome of.
  const own = data?.items.filter(({ reason }) => reason !== 'WRITE_OUTCOME_UNKNOWN')
  const found = new Set(own?.map(({ request_id }) => request_id))
  return ids.filter(id => found.has(id)).length
}

async function countResets(gateway: GatewayProcess): Promise<number> {
  const { data } = await ask(gateway, 'operator', '/v1/audit?limit=200&action=upstream.reset')
  return data?.items.length ?? 0
}

async function isGood(gateway: GatewayProcess, approval: string): Promise<number> {
  const { data } = await ask(gateway, 'operator', `/v1/approvals/${approval}`)
  return data?.status === 'approved' ? 1 : 0
}

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-losses-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

function openLocked(): Place {
  const directory = temporary()
  const file = join(directory, 'journal.sqlite')
  let other: DatabaseSync | null = null
  return {
    env: { SIGNALBOX_JOURNAL: file },
    takeAway: () => {
      other = new DatabaseSync(file, { timeout: 10_000 })
      other.exec('BEGIN IMMEDIATE')
    },
    giveBack: () => {
      other?.close()
      other = null
    },
  }
}

function openFull(kind = fileSystem): Place {
  const disk = kind!.open()
  let isFull = false
  return {
    env: { SIGNALBOX_JOURNAL: join(disk.directory, 'journal.sqlite') },
    takeAway: gateway => {
      disk.fill(gateway)
      isFull = true
    },
    giveBack: gateway => {
      if (isFull) disk.free(gateway)
      isFull = false
    },
  }
}

async function openPostgres(spill: string): Promise<Place> {
  const env = {
    SIGNALBOX_JOURNAL: await server.createDatabase(),
    SIGNALBOX_JOURNAL_SPILL: spill,
  }
  let isAway = false
  return {
    env,
    takeAway: async () => {
      await server.stop()
      isAway = true
    },
    giveBack: async () => {
      if (isAway) await server.start()
      isAway = false
    },
  }
}
