/**
 * Measures the CPU time that a record costs a worker and its primary process beyond writing it to the tables: to store it in a batch in the
 * inbox of the worker, and to read it there. CPU times hardly change on a busy machine. Compares that with a message of the same records, whose
 * answer the worker awaits.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { toRequestEntry } from '../src/journal/entries.ts'
import { toRequestRows } from '../src/journal/rows.ts'
import { InboxReader } from '../src/journal/sqlite/inbox-reader.ts'
import { WorkerInbox } from '../src/journal/sqlite/worker-inbox.ts'
import { Channel } from '../src/lib/channel.ts'
import { recordAt } from './support/journal-load.ts'
import { onInterrupt, scratchDirectory } from './support/on-interrupt.ts'
import { readOptions } from './support/read-options.ts'
import { median } from './support/spread.ts'
import { align } from './support/table.ts'

const KINDS = ['inbox', 'message'] as const
type Kind = (typeof KINDS)[number]

const KEPT = 512
/** The primary process reads about as many at once when each of two workers answers 2,000 requests a second. */
const READ_TOGETHER = 200

const {
  values: { batch, records, rounds },
} = readOptions({
  command: 'npm run bench:worker-records',
  about: 'Measures what a record costs a worker and its primary process.',
  options: {
    batch: { value: 16, help: 'records in a batch' },
    records: { value: 6000, help: 'records in a round' },
    rounds: { value: 5, help: 'rounds' },
  },
})

if (process.send === undefined) answer()
else await ask()

/** The part of the primary process. */
function answer(): void {
  const child = fork(new URL(import.meta.url), process.argv.slice(2), { serialization: 'advanced' })
  onInterrupt(async () => {
    child.kill()
    await once(child, 'exit')
  })
  const channel = new Channel({ send: message => child.send(message as object) })
  child.on('message', message => channel.receive(message))
  channel.handle('cpu', cpu)
  channel.handle('message', () => [])
  let reader: InboxReader
  channel.handle('open', (place: string) => {
    reader = new InboxReader(place, { part: 0, offset: 0 }, false)
  })
  channel.handle('read', () => {
    for (let piece = reader.next(); piece; piece = reader.next()) reader.markFiled(piece)
  })
}

/** The part of a worker. */
async function ask(): Promise<void> {
  const channel = new Channel({ send: message => process.send?.(message) })
  process.on('message', message => channel.receive(message))
  const directory = await scratchDirectory('bench')
  const place = join(directory, 'inbox')
  const inbox = new WorkerInbox({ place, durability: 'normal' })
  await channel.ask('open', place)
  const kept = Array.from({ length: KEPT }, (_, n) =>
    toRequestRows(recordAt(Date.now(), 2 * n), 'off', []),
  )
  const entries = kept.map(toRequestEntry)
  const hand = {
    message: (from: number) => channel.ask('message', entries.slice(from, from + batch)),
    inbox: (from: number) => {
      inbox.receive(kept.slice(from, from + batch))
      return from % READ_TOGETHER < batch ? channel.ask('read') : null
    },
  }
  const measure = async (kind: Kind) => {
    const theirs = (await channel.ask('cpu')) as number
    const own = cpu()
    for (let n = 0; n < records; n += batch) await hand[kind](n % KEPT)
    const ownEnd = cpu()
    return [ownEnd - own, ((await channel.ask('cpu')) as number) - theirs].map(us => us / records)
  }
  const costs = new Map(KINDS.map(kind => [kind, [] as number[][]]))
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const kind of KINDS) {
      const cost = await measure(kind)
      if (round > 0) costs.get(kind)?.push(cost)
    }
  }
  print(costs)
  inbox.close()
  rmSync(directory, { recursive: true })
  process.exit()
}

function cpu(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

function print(costs: ReadonlyMap<Kind, readonly (readonly number[])[]>): void {
  const rows = [...costs].map(([kind, all]) => [
    kind,
    ...[0, 1].map(at => median(all.map(cost => cost[at] ?? 0)).toFixed(1)),
  ])
  console.log(`records of one attempt, ${batch} in a batch; Node ${process.version}`)
  console.log(align([['', 'worker, µs', 'primary process, µs'], ...rows]))
}
