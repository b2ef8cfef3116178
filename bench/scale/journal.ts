import type { Journal, JournalFilter } from '../../src/journal/journal.ts'
import { type Curve, FLAT, figure, type Growth, LINEAR } from '../support/curve.ts'
import { CALLERS, recordAt } from '../support/journal-load.ts'
import { APART } from '../support/journal-variety.ts'
import { median } from '../support/spread.ts'

/** Requests of the first point. Later points have copies of them. */
export const BLOCK = 10_000
/** A thousand blocks, the largest journal, are a day. */
export const BLOCK_MS = 86_400
const CLIENTS = 10
const RECORDS = 5000
const RUNS = 40

/** A journal that can be made larger. */
export interface GrowingJournal {
  readonly journal: Journal
  /** CPU time of this process and of the database server so far, in microseconds. */
  readonly cpu: () => number
  /** Copies the block until there are so many requests, and collects statistics as the database would. */
  readonly grow: (requests: number) => Promise<void>
  readonly megabytes: () => Promise<number>
}

export async function measureJournal(
  name: string,
  growing: GrowingJournal,
  largest: number,
): Promise<Curve> {
  const at = [BLOCK, 10 * BLOCK, 100 * BLOCK, 300 * BLOCK, 1000 * BLOCK].filter(
    rows => rows <= largest,
  )
  const points: Point[] = []
  const began = Date.now() - 1001 * BLOCK_MS
  await fillBlock(growing.journal, began)
  // The compilers of V8 come first.
  await measure(growing, began)
  for (const requests of at) {
    const start = performance.now()
    await growing.grow(requests)
    console.log(`${name}: ${requests} requests after ${toSeconds(start)} s`)
    points.push(await measure(growing, began))
    console.log(`${name}: ${JSON.stringify(points.at(-1))} after ${toSeconds(start)} s`)
  }
  return {
    title: `Requests in the journal, ${name}`,
    along: 'requests',
    at,
    figures: [
      figure('insert, CPU µs', points, 'insert', 0, FLAT),
      ...QUERIES.map(([query, , growth]) => figure(`${query}, CPU ms`, points, query, 2, growth)),
      figure('size, MB', points, 'mb', 0, LINEAR),
    ],
  }
}

function toSeconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0)
}

type Point = Awaited<ReturnType<typeof measure>>

type QueryName = (typeof QUERIES)[number][0]

const QUERIES = [
  ['all', () => ({}), FLAT],
  ['failures', () => ({ ok: false }), FLAT],
  ['a rare caller', () => ({ caller: CALLERS.at(-1) ?? '' }), FLAT],
  ['an unknown caller', () => ({ caller: 'nobody' }), FLAT],
  ['caller and code', () => ({ caller: CALLERS[0] ?? '', code: 'CONFLICT' }), FLAT],
  ['an hour', (began: number) => ({ since: began, until: began + BLOCK_MS / 24 }), FLAT],
  // Each index finds a tenth of the journal.
  ['two that never meet', () => APART, LINEAR],
] as const satisfies readonly (readonly [string, (began: number) => JournalFilter, Growth])[]

/** The records of the block come in order of time, which is the order of their keys. */
async function fillBlock(journal: Journal, began: number): Promise<void> {
  for (let n = 0; n < BLOCK; n++) {
    const record = recordAt(began + Math.floor((n / BLOCK) * BLOCK_MS), n)
    const { caller, capability } = APART
    if (n % 10 === 3) await journal.append({ ...record, caller })
    else await journal.append(n % 10 === 6 ? { ...record, capability_id: capability } : record)
  }
}

async function measure(growing: GrowingJournal, began: number) {
  const { journal, cpu, megabytes } = growing
  const mb = await megabytes()
  const costs: Partial<Record<QueryName, number>> = {}
  for (const [name, filterOf] of QUERIES) {
    const run = () => journal.requests(filterOf(began), { limit: 50 })
    costs[name] = (await medianCost(cpu, run)) / 1000
  }
  const insert = await costOfInsert(journal, cpu)
  return { ...(costs as Record<QueryName, number>), insert, mb }
}

/** A checkpoint that falls into some of the runs does not count. */
async function medianCost(cpu: () => number, run: () => Promise<unknown>): Promise<number> {
  const costs: number[] = []
  for (let n = 0; n < RUNS; n++) {
    const before = cpu()
    await run()
    costs.push(cpu() - before)
  }
  return median(costs)
}

/** Until queries can find the records. Removes none, so a point has a few more than it says. */
async function costOfInsert(journal: Journal, cpu: () => number): Promise<number> {
  let left = RECORDS
  const client = async () => {
    while (left-- > 0) await journal.append(recordAt(Date.now(), left))
  }
  const before = cpu()
  await Promise.all(Array.from({ length: CLIENTS }, client))
  await journal.requests({ caller: 'nobody' }, { limit: 1 })
  return (cpu() - before) / RECORDS
}
