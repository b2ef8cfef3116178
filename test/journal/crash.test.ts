import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { keyHashOf } from '../../src/journal/key-hash.ts'
import { recordOf } from './records.ts'
import { openJournal, temporaryFile } from './support.ts'

const WRITER = fileURLToPath(new URL('writer-process.ts', import.meta.url))

test('kill -9 under load loses no answered request, and leaves every write in flight as unknown', async () => {
  const file = temporaryFile()
  const { answered, intended } = await writeUntilKilled(file)
  const { journal } = openJournal({ file })

  expect(answered.size).toBeGreaterThan(100)
  for (const id of answered) {
    const found = await journal.request(id)
    expect(found).toMatchObject({ request_id: id, ok: true, effect: 'write' })
  }
  const inFlight = [...intended].filter(id => !answered.has(id))
  expect(inFlight.length).toBeGreaterThanOrEqual(10)
  for (const id of inFlight) {
    const found = await journal.request(id)
    // The process may have died between writing one and printing it.
    if (found?.ok) continue
    expect(found).toMatchObject({ request_id: id, code: 'UNKNOWN', write_outcome: 'unknown' })
  }
})

test('a recovered write names the route it was sent by, and has no answer', async () => {
  const file = temporaryFile()
  const { journal: first } = openJournal({ file })
  const time = Date.parse('2026-01-02T03:04:05.678Z')
  const known = { upstream: 'github', effect: 'write', keyHash: keyHashOf('once') } as const
  const call = { time, caller: 'agent', capability_id: 'issue.create', route: 'rest' } as const
  const intent = { ...call, ...known }
  const names = { correlation_id: 'mine', batch_id: 'b', batch_step: 'reply', batch_item: 1 }
  await first.intend({ request_id: 'lost', ...names, ...intent })
  await first.intend({ request_id: 'done', ...intent })
  await first.append(recordOf({ request_id: 'done', time, effect: 'write' }))
  // A close leaves an intent without a record behind, as a crash does.
  await first.close()

  const { journal } = openJournal({ file })

  expect(await journal.request('done')).toMatchObject({ ok: true })
  expect(await journal.request('lost')).toEqual({
    request_id: 'lost',
    trace_id: null,
    ...names,
    time: '2026-01-02T03:04:05.678Z',
    caller: 'agent',
    capability_id: 'issue.create',
    ok: false,
    code: 'UNKNOWN',
    route_used: 'rest',
    reason: 'WRITE_OUTCOME_UNKNOWN',
    http_status: null,
    duration_ms: null,
    attempts: 1,
    write_outcome: 'unknown',
    answer_from: null,
    borrowed: false,
    idempotency_key_hash: keyHashOf('once'),
    trail: [
      {
        route: 'rest',
        status: 'error',
        code: 'UNKNOWN',
        reason: null,
        duration_ms: null,
        purpose: null,
      },
    ],
    upstream: 'github',
    effect: 'write',
    options: null,
    plan: null,
    error: expect.objectContaining({
      code: 'UNKNOWN',
      source: 'gateway',
      write_outcome: 'unknown',
      next: { action: 'ask_human' },
      details: { interrupted: true },
    }),
    meta: null,
    input: null,
    data: null,
    trace: null,
  })
  for (const filter of [{ upstream: 'github' }, { q: 'once' }]) {
    const { items } = await journal.requests({ ...filter, write_outcome: 'unknown' }, { limit: 10 })
    expect(items.map(row => row.request_id)).toEqual(['lost'])
  }
  expect((await journal.attempts({ code: 'UNKNOWN' }, { limit: 10 })).items).toMatchObject([
    { request_id: 'lost', route: 'rest', status: 'error', duration_ms: null },
  ])
})

test('a write is recovered once only', async () => {
  const file = temporaryFile()
  const { journal: first } = openJournal({ file })
  await first.intend({
    request_id: 'lost',
    time: Date.now(),
    caller: 'agent',
    capability_id: 'issue.create',
    route: 'rest',
  })
  await first.close()
  await openJournal({ file }).journal.close()

  const { journal } = openJournal({ file })

  expect((await journal.requests({}, { limit: 10 })).items).toHaveLength(1)
})

async function writeUntilKilled(file: string) {
  const child = spawn(process.execPath, [WRITER, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    output += text
    if (output.length > 50_000) child.kill('SIGKILL')
  })
  await once(child, 'close')
  // The kill may have cut the last line.
  const lines = output.split('\n').slice(0, -1)
  const idsOf = (event: string) =>
    new Set(lines.filter(line => line.startsWith(event)).map(line => line.slice(event.length + 1)))
  return { answered: idsOf('answered'), intended: idsOf('intended') }
}
