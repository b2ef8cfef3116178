import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { expectInterrupted, INTENT } from './interrupted.ts'
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
  await first.intend(INTENT)
  await first.intend({ ...INTENT, request_id: 'done' })
  await first.append(recordOf({ request_id: 'done', time: INTENT.time, effect: 'write' }))
  // A close leaves an intent without a record behind, as a crash does.
  await first.close()

  const { journal } = openJournal({ file })

  expect(await journal.request('done')).toMatchObject({ ok: true })
  await expectInterrupted(journal)
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
