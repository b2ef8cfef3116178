/**
 * Imports a document with a thousand operations, and measures how long `signalbox check`, `capabilities` and a start of
 * `serve` take with these cards and without them, and how much memory the gateway then holds. Exits with 1 if a target is
 * missed.
 */
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../test/support/free-port.ts'
import { memoryOf } from './support/holdings.ts'
import { scratchDirectory } from './support/on-interrupt.ts'
import { Processes } from './support/processes.ts'
import { readOptions } from './support/read-options.ts'
import { median } from './support/spread.ts'
import { align, verdictOf } from './support/table.ts'

readOptions({
  command: 'npm run bench:cards',
  about: 'Measures import, check, list and start with a thousand cards.',
  options: {},
})

const THINGS = 250
const ROUNDS = 5
const MOST_CHECK_MS = 5000
const MOST_MORE_MS = 2000
const MOST_MB = 400
const MOST_IMPORT_MS = 10_000
const SIGNALBOX = fileURLToPath(new URL('../src/signalbox.ts', import.meta.url))

const root = await scratchDirectory('cards')
const processes = new Processes(false)
const document = join(root, 'things.json')
const folder = join(root, 'things')
const added = ['--capabilities', folder]
try {
  await writeFile(document, JSON.stringify(describeThings()))
  const imported = await timeOf(['import', document, '--only', '*', '--out', folder])
  const check = await compare(['check'], ['check', folder])
  const list = await compare(['capabilities'], ['capabilities', ...added])
  const [start, memory] = await compareStarts([], added)
  report(imported, [
    ['check, ms', ...check, check[1] < MOST_CHECK_MS],
    ['capabilities, ms', ...list, list[1] - list[0] < MOST_MORE_MS],
    ['start of serve, ms', ...start, start[1] - start[0] < MOST_MORE_MS],
    ['memory after the start, MB', ...memory, memory[1] < MOST_MB],
  ])
} finally {
  await rm(root, { recursive: true })
}

/** Name and unit, without the thousand cards, with them, whether the target is met. */
type Row = readonly [string, number, number, boolean]

function report(imported: number, rows: readonly Row[]): void {
  const cells = rows.map(([name, shipped, thousand, isMet]) => [
    `${verdictOf(isMet)} ${name}`,
    shipped.toFixed(0),
    thousand.toFixed(0),
  ])
  console.log(`${verdictOf(imported < MOST_IMPORT_MS)} import of 1,000: ${imported.toFixed(0)} ms`)
  console.log(align([['', 'shipped pack', '1,000 cards'], ...cells]))
  const isMet = imported < MOST_IMPORT_MS && rows.every(row => row[3])
  process.exitCode = isMet ? 0 : 1
}

function compare(shipped: readonly string[], thousand: readonly string[]) {
  return medians([() => timeOf(shipped), () => timeOf(thousand)])
}

/** The two take turns, so that other work on the machine slows down both. */
async function medians([first, second]: readonly [Measure, Measure]): Promise<Pair> {
  const times: Pair[] = []
  for (let round = 0; round < ROUNDS; round++) times.push([await first(), await second()])
  return medianOf(times)
}

type Measure = () => Promise<number>

/** Without the thousand cards, and with them. */
type Pair = readonly [number, number]

function medianOf(pairs: readonly Pair[]): Pair {
  return [median(pairs.map(pair => pair[0])), median(pairs.map(pair => pair[1]))]
}

async function timeOf(args: readonly string[]): Promise<number> {
  const begin = performance.now()
  const [code] = await once(run(args), 'exit')
  if (code !== 0) throw new Error(`signalbox ${args[0]} exits with ${code}`)
  return performance.now() - begin
}

/** Returns how long the starts take, and the memory of the gateways, in turns like `medians`. */
async function compareStarts(
  shipped: readonly string[],
  thousand: readonly string[],
): Promise<readonly [Pair, Pair]> {
  const starts: (readonly [Start, Start])[] = []
  for (let round = 0; round < ROUNDS; round++) {
    starts.push([await startOf(shipped), await startOf(thousand)])
  }
  return [
    medianOf(starts.map(([one, other]) => [one.ms, other.ms])),
    medianOf(starts.map(([one, other]) => [one.mb, other.mb])),
  ]
}

interface Start {
  /** Until the gateway is ready. */
  readonly ms: number
  readonly mb: number
}

async function startOf(args: readonly string[]): Promise<Start> {
  const port = await freePort()
  const begin = performance.now()
  const gateway = run(['serve', '--port', String(port), ...args])
  const isReady = () => fetch(`http://127.0.0.1:${port}/readyz`).then(reply => reply.ok)
  while (!(await isReady().catch(() => false))) await delay(10)
  const ms = performance.now() - begin
  const mb = await memoryOf(gateway.pid as number)
  gateway.kill()
  await once(gateway, 'exit')
  return { ms, mb }
}

function run(args: readonly string[]) {
  const { PATH } = process.env
  const settings = { SIGNALBOX_JOURNAL: ':memory:', SIGNALBOX_LOG_LEVEL: 'silent' }
  return processes.start([process.execPath, SIGNALBOX, ...args], {
    half: 'servers',
    env: { PATH, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Lists, shows, creates and deletes of as many kinds of things. */
function describeThings() {
  const text = { type: 'string', minLength: 1, maxLength: 100 }
  const properties = {
    id: { type: 'integer' },
    name: text,
    kind: { type: 'string', enum: ['tool', 'part', 'material'] },
    price: { type: 'number', minimum: 0 },
    tags: { type: 'array', items: text },
    owner: { type: 'object', properties: { login: text, email: { ...text, format: 'email' } } },
  }
  const thing = { type: 'object', required: ['id', 'name'], properties }
  const json = (schema: object) => ({ content: { 'application/json': { schema } } })
  const answer = (schema: object) => ({ 200: { description: 'OK', ...json(schema) } })
  const kind = { name: 'kind', in: 'query', schema: properties.kind }
  const id = { name: 'id', in: 'path', required: true, schema: properties.id }
  const paths = Array.from({ length: THINGS }, (_, number) => [
    [
      `/thing${number}s`,
      {
        get: { parameters: [kind], responses: answer({ type: 'array', items: thing }) },
        post: { requestBody: { required: true, ...json(thing) }, responses: answer(thing) },
      },
    ],
    [
      `/thing${number}s/{id}`,
      {
        get: { parameters: [id], responses: answer(thing) },
        delete: { parameters: [id], responses: { 204: { description: 'Deleted' } } },
      },
    ],
  ])
  return {
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'http://127.0.0.1:1' }],
    paths: Object.fromEntries(paths.flat()),
  }
}
