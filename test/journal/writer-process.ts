/** Writes to a journal under load until it is killed, and prints each row that the journal confirmed. */
import { writeSync } from 'node:fs'
import { ulid } from 'ulid'
import { openSqliteJournal } from '../../src/journal/sqlite.ts'
import { recordOf } from './records.ts'

const [file = ''] = process.argv.slice(2)
const journal = openSqliteJournal({
  file,
  onError: error => {
    throw error
  },
})

async function keepWriting(client: number): Promise<void> {
  for (;;) {
    const write = { request_id: ulid(), time: Date.now(), caller: `client-${client}` }
    await journal.intend({ ...write, capability_id: 'issue.create', route: 'rest' })
    report('intended', write.request_id)
    // Every second client still has its write in flight when the process is killed.
    if (client % 2 === 0) {
      await journal.append(recordOf({ ...write, capability_id: 'issue.create', effect: 'write' }))
      report('answered', write.request_id)
    } else {
      await new Promise(() => {})
    }
  }
}

/** Unbuffered, so that a kill loses no line. */
function report(event: string, id: string): void {
  writeSync(1, `${event} ${id}\n`)
}

await Promise.all(Array.from({ length: 20 }, (_, client) => keepWriting(client)))
