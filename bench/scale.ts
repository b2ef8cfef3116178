/**
 * Measures how costs grow: with the number of cards, rows of the journal, connections, items of a list, workers, and calls at once on shared stores. Prints
 * each curve as a table, with the exponent of its growth, and exits with 1 if a cost grows faster than expected.
 *
 *   node bench/scale.ts [cards] [journal] [connections] [items] [workers] [shared] [--quick] [--rows 10000000] [--postgres-rows 1000000]
 */
import { rm } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { cardsCurve } from './scale/cards.ts'
import { connectionsCurve } from './scale/connections.ts'
import { itemsCurve } from './scale/items.ts'
import { postgresCurve } from './scale/postgres.ts'
import { sharedCurves } from './scale/shared.ts'
import { sqliteCurve } from './scale/sqlite.ts'
import { workersCurve } from './scale/workers.ts'
import { type Curve, report } from './support/curve.ts'
import { scratchDirectory } from './support/on-interrupt.ts'
import { Processes } from './support/processes.ts'
import { readOptions } from './support/read-options.ts'

/** Each curve by the names that select it. */
const CURVES: readonly (readonly [names: readonly string[], measure: Measure])[] = [
  [['cards'], cardsCurve],
  [['journal', 'sqlite'], scale => sqliteCurve(scale, rows)],
  [['journal', 'postgres'], () => postgresCurve(postgresRows)],
  [['connections'], connectionsCurve],
  [['items'], itemsCurve],
  [['workers'], workersCurve],
  [['shared'], sharedCurves],
]

/** None if a program that it needs is not installed. */
type Measure = (scale: Scale) => Promise<Curve | readonly Curve[]>

/** Tools that each measurement of a curve gets. */
export interface Scale {
  readonly processes: Processes
  /** For the files of all gateways. */
  readonly directory: string
  readonly quick: boolean
}

const known = CURVES.flatMap(([names]) => names)
const { values, words: names } = readOptions({
  command: 'npm run bench:scale',
  about: 'Measures the same work at several sizes: all curves, or those that are named.',
  options: {
    quick: { value: false, help: 'fewer and smaller points' },
    rows: { value: 0, help: 'requests in SQLite at most (10,000,000; 100,000 with --quick)' },
    'postgres-rows': { value: 0, help: 'the same in PostgreSQL (1,000,000; 100,000 with --quick)' },
  },
  words: [...new Set(known)],
})
const { quick } = values
const rows = values.rows || (quick ? 100_000 : 10_000_000)
const postgresRows = values['postgres-rows'] || (quick ? 100_000 : 1_000_000)
const chosen = CURVES.filter(([own]) => names.length === 0 || own.some(one => names.includes(one)))
console.log(
  `${availableParallelism()} cores, Node ${process.version}; load average before: ${loadavg()[0]?.toFixed(1)}`,
)
const directory = await scratchDirectory('scale')
try {
  const verdicts: boolean[] = []
  for (const [, measure] of chosen) verdicts.push(await run(measure))
  process.exitCode = verdicts.every(Boolean) ? 0 : 1
} finally {
  await rm(directory, { recursive: true, force: true })
}

async function run(measure: Measure): Promise<boolean> {
  await using processes = new Processes(false)
  const curves = [await measure({ processes, directory, quick })].flat()
  return curves.map(report).every(Boolean)
}
