/**
 * Measures the list of the inspector in Chromium, with a gateway whose journal has 100,000 requests: how soon the first page
 * stands, how soon the list has followed a filter, what the arrival of requests costs, and how much of the list is drawn.
 *
 *   node bench/inspector.ts [--rows 100000] [--seconds 20]
 */
import { rm } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { openSqliteJournal } from '../src/journal/sqlite.ts'
import { launchOptions, chromium as part } from '../test/support/parts.ts'
import { fill } from './support/journal-load.ts'
import { onInterrupt, scratchDirectory } from './support/on-interrupt.ts'
import * as probe from './support/page-probe.ts'
import { longestTaskOf } from './support/page-tasks.ts'
import { Processes } from './support/processes.ts'
import { readOptions } from './support/read-options.ts'
import { startGateway, startUpstream } from './support/servers.ts'
import { median } from './support/spread.ts'
import { align, verdictOf } from './support/table.ts'
import { waitFor } from './support/wait-for.ts'

const RATE = 50
const LOADS = 5
const MOST_DRAWN = 150

const { values } = readOptions({
  command: 'npm run bench:inspector',
  about: 'Measures the list of the inspector in Chromium.',
  options: {
    rows: { value: 100_000, help: 'requests in the journal' },
    seconds: { value: 20, help: 'seconds in which requests arrive' },
  },
})
const { rows, seconds } = values

/** One change of each kind of filter: equality, class, pattern, range, words, and back to all. */
const FILTERS: readonly (readonly [name: string, value: string])[] = [
  ['code', 'SERVER'],
  ['code', ''],
  ['ok', 'false'],
  ['ok', ''],
  ['capability', 'thing.action1*'],
  ['capability', ''],
  ['reason', 'CARD_FALLBACK'],
  ['reason', ''],
  ['upstream_status', '5xx'],
  ['upstream_status', ''],
  ['min_duration_ms', '500'],
  ['min_duration_ms', ''],
  ['caller', 'caller-19'],
  ['caller', ''],
]

/** The lines of the table at the end. */
const figures: string[][] = []

if (!part.available) {
  console.log(`SKIPPED: ${part.name} is not installed (${part.install})`)
  process.exit()
}
const directory = await scratchDirectory('bench')
const processes = new Processes(false)
// The library would end this process before its files are removed.
const browser = await chromium.launch({
  ...launchOptions,
  handleSIGINT: false,
  handleSIGTERM: false,
})
onInterrupt(() => browser.close())
try {
  const journal = join(directory, 'journal.sqlite')
  await write(journal)
  const upstream = await startUpstream(processes, directory, true)
  const { port } = await startGateway(processes, directory, upstream.port, {
    env: { SIGNALBOX_JOURNAL: journal },
  })
  const url = `http://127.0.0.1:${port}`
  const load = loadavg()[0]?.toFixed(1)
  console.log(
    `${rows} requests; ${availableParallelism()} cores for gateway and browser; Node ${process.version}, Chromium ${browser.version()}; load average before: ${load}`,
  )
  await measureFirstPage(url)
  const page = await open(url)
  await measureFilters(page)
  await measureArrivals(page, url)
  await measureScrolling(page)
  console.log(`\n${align([['', 'measured', 'at most', ''], ...figures])}`)
} finally {
  await browser.close()
  await processes[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
}

async function write(file: string): Promise<void> {
  const retention = { days: Infinity, failure_days: Infinity }
  const journal = openSqliteJournal({ file, retention, onError: console.error })
  await fill(journal, rows)
  // A close drops what it cannot write within a few seconds.
  await waitFor(async () => (journal.health().waiting === 0 ? true : null))
  await journal.close()
}

async function open(url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${url}/inspector`)
  await page.locator('.requests').waitFor()
  return page
}

/** Each load is in a browser context of its own, so nothing is in its cache. */
async function measureFirstPage(url: string): Promise<void> {
  const times: number[] = []
  let files = 0
  for (let n = 0; n < LOADS; n++) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    // From the beginning, because to ask after the load would add the time that the question takes.
    await page.addInitScript(`window.firstRows = ${probe.FIRST_ROWS}`)
    await page.goto(`${url}/inspector`)
    times.push(Number(await page.evaluate('window.firstRows')))
    files = Number(await page.evaluate(probe.LOADED))
    await page.close()
  }
  console.log(`first page: it loads ${files} files and answers`)
  report('first page, from navigation to its rows', median(times), 1000, 'ms')
}

async function measureFilters(page: Page): Promise<void> {
  const times: number[] = []
  for (const [name, value] of FILTERS) {
    const took = Number(await page.evaluate(probe.setFilter(name, value)))
    console.log(`filter ${name}=${value || '(any)'}: ${took.toFixed(0)} ms`)
    times.push(took)
  }
  report('filter change, the slowest', Math.max(...times), 300, 'ms')
}

async function measureArrivals(page: Page, url: string): Promise<void> {
  const client = await page.context().newCDPSession(page)
  // The time that the thread ran, not that it waited for a core.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busy = async () => {
    const { metrics } = await client.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const before = await busy()
  let sent = 0
  await measureTasks(page, `while ${RATE} requests a second arrive`, async () => {
    sent = await sendCalls(url)
    // The last rows arrive a moment later.
    await delay(1000)
  })
  report('CPU of the page per arrival', ((await busy()) - before) / sent, 16, 'ms')
}

/** @returns how many calls were answered */
async function sendCalls(url: string): Promise<number> {
  const began = performance.now()
  const calls: Promise<unknown>[] = []
  for (let n = 0; n < seconds * RATE; n++) {
    await delay(Math.max(0, began + (n * 1000) / RATE - performance.now()))
    calls.push(call(url, n))
  }
  await Promise.all(calls)
  return calls.length
}

async function call(url: string, n: number): Promise<void> {
  const response = await fetch(`${url}/v1/capabilities/bench.repository`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ owner: 'octo-org', name: `repo-${n}` }),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`a call was answered with ${response.status}: ${answer}`)
}

/** Scrolls until all rows are loaded, as a user does who holds the End key. */
async function measureScrolling(page: Page): Promise<void> {
  const began = performance.now()
  let scrolled: probe.Scrolled = { drawn: 0, elements: 0, loaded: 0, steps: 0 }
  await measureTasks(page, 'while scrolling to the end', async () => {
    scrolled = (await page.evaluate(probe.SCROLL_TO_END)) as probe.Scrolled
  })
  const took = ((performance.now() - began) / 1000).toFixed(0)
  const { drawn, elements, loaded, steps } = scrolled
  console.log(`scrolled through ${loaded} requests in ${steps} steps and ${took} s`)
  report('rows drawn while scrolling to the end, at most', drawn, MOST_DRAWN, '')
  report('elements of the page, at most', elements, 5000, '')
  await measureTasks(page, 'of the way back to the top', async () => {
    await page.evaluate('scrollTo(0, 0)')
    await delay(1000)
  })
}

/** Judges by the CPU time of the longest task: on a busy machine a task also waits for its core. */
async function measureTasks(page: Page, when: string, run: () => Promise<unknown>): Promise<void> {
  const client = await page.context().newCDPSession(page)
  const { cpuMs, wallMs } = await longestTaskOf(client, run)
  console.log(`longest task ${when}: ${wallMs.toFixed(0)} ms on the clock`)
  report(`CPU of the longest task ${when}`, cpuMs, 100, 'ms')
}

/** A figure beyond its target is no failure: the machine may be busy. */
function report(what: string, value: number, most: number, unit: string): void {
  const figure = `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`.trim()
  figures.push([what, figure, `${most} ${unit}`.trim(), verdictOf(value <= most).trim()])
}
