/**
 * Sends mixed traffic with faults to a gateway in its own process, and watches what it holds. Prints a line each minute, then
 * the slope of its memory over the last two thirds, and what is left when all calls have ended. Exits with 1 if the memory
 * grows by 1 % in ten minutes, or if something is left.
 *
 *   node bench/soak.ts [--minutes 30] [--rate 30] [--warm-up 20000] [--workers 2]
 *
 * V8 enlarges its spaces step by step under load, and shrinks them when the process rests: at a modest rate it takes hours
 * to reach the size that it then keeps. So a number of calls as fast as the machine makes them comes first, with no rest
 * after it. The live heap tells a leak from V8's spaces: it is compared over all minutes, after a collection of all garbage.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createSandbox } from '../sandbox/index.ts'
import { githubEnv } from '../test/support/github.ts'
import { startGatewayProcess } from '../test/support/process.ts'
import { type Holdings, holdingsOf, liveHeapOf } from './support/holdings.ts'
import { onInterrupt, scratchDirectory } from './support/on-interrupt.ts'
import { readOptions } from './support/read-options.ts'
import { nextCall, SOAK_FAULTS } from './support/soak-traffic.ts'
import { verdictOf } from './support/table.ts'

const MINUTE_MS = 60_000
const MOST_PERCENT = 1
/** Bounded memories, such as that of ETags, may still fill. */
const MOST_LIVE_PERCENT = 3
/** Idle connections close, and what waits for a timer ends. */
const REST_MS = 90_000
const REST_SAMPLES = 5
const FIRST_CALLS = 200
const AT_ONCE = 32
const COLLECT_GARBAGE = fileURLToPath(new URL('support/collect-garbage.ts', import.meta.url))

const { values } = readOptions({
  command: 'npm run soak',
  about: 'Sends mixed traffic for a long time, and fails if what the gateway holds grows.',
  options: {
    minutes: { value: 30, help: 'minutes of traffic' },
    rate: { value: 30, help: 'calls per second' },
    'warm-up': { value: 20_000, help: 'calls before the first minute', least: 0 },
    workers: { value: 1, help: 'workers of the gateway' },
  },
})
const { minutes, rate } = values

const directory = await scratchDirectory('soak')
const socketPath = join(directory, 'gh.sock')
const heaps = join(directory, 'heaps')
await mkdir(heaps)
const sandbox = await createSandbox({ port: 0, socketPath })
await writeFile(join(directory, 'config.yml'), `http_unix_socket: ${socketPath}\n`)
const gateway = await startGatewayProcess({
  ...githubEnv(sandbox.url),
  GH_CONFIG_DIR: directory,
  SIGNALBOX_JOURNAL: join(directory, 'journal.sqlite'),
  SIGNALBOX_WORKERS: String(values.workers),
  SOAK_HEAPS: heaps,
  NODE_OPTIONS: `--expose-gc --import ${COLLECT_GARBAGE}`,
})
onInterrupt(async () => {
  await gateway.end('SIGTERM')
  await sandbox.close()
})
const pid = gateway.child.pid as number
const answers: Record<string, number> = {}
const running = new Set<Promise<void>>()

try {
  // A first round of each kind of call opens what stays open.
  for (let n = 0; n < FIRST_CALLS; n++) await send(n)
  const begin = await rested('begin')
  await warmUp(values['warm-up'])
  const liveBefore = await liveHeapOf(pid, heaps)
  const samples = await soak()
  await Promise.all(running)
  const liveAfter = await liveHeapOf(pid, heaps)
  const end = await rested('rest')
  process.exitCode = judge({ begin, samples, end, liveBefore, liveAfter }) ? 0 : 1
} finally {
  await gateway.end('SIGTERM')
  await sandbox.close()
  await rm(directory, { recursive: true, force: true })
}

/** Changes faults as a few minutes would, and leaves none. */
async function warmUp(calls: number): Promise<void> {
  let sent = 0
  const client = async () => {
    while (sent < calls) {
      const n = sent++
      if (n % 2000 === 0) {
        trouble((n / 2000) % 2 === 1)
        await sample(`${n} calls`)
      }
      await send(n)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  trouble(false)
  await sample(`${calls} calls`)
}

/** One sample after each minute. */
async function soak(): Promise<readonly Holdings[]> {
  const samples: Holdings[] = []
  for (let minute = 1, sent = 0; minute <= minutes; minute++) {
    trouble(minute % 2 === 0)
    const end = performance.now() + MINUTE_MS
    for (; performance.now() < end; sent++) {
      const call = send(sent).finally(() => running.delete(call))
      running.add(call)
      await delay(1000 / rate)
    }
    samples.push(await sample(`${minute} min`))
  }
  return samples
}

function trouble(isOn: boolean): void {
  sandbox.reset()
  sandbox.faults.set(isOn ? [...SOAK_FAULTS] : [])
}

async function send(n: number): Promise<void> {
  const { path, body, headers, leaveAfterMs } = nextCall(n)
  const signal = leaveAfterMs === undefined ? null : AbortSignal.timeout(leaveAfterMs)
  try {
    const response = await fetch(`${gateway.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal,
    })
    await response.text()
    answers[response.status] = (answers[response.status] ?? 0) + 1
  } catch {
    answers.left = (answers.left ?? 0) + 1
  }
}

/** Something always comes and goes, such as the timer that writes counters a second later: the smallest of some samples counts. */
async function rested(name: string): Promise<Holdings> {
  await delay(REST_MS)
  let least = await sample(name)
  for (let n = 1; n < REST_SAMPLES; n++) {
    await delay(1500)
    const { rssMb, ownMb, fds, children, timers } = await sample(name)
    least = {
      rssMb: Math.min(least.rssMb, rssMb),
      ownMb: Math.min(least.ownMb, ownMb),
      fds: Math.min(least.fds, fds),
      children: Math.min(least.children, children),
      timers: Math.min(least.timers, timers),
    }
  }
  return least
}

async function sample(name: string): Promise<Holdings> {
  const holdings = await holdingsOf(pid, gateway.url)
  const { rssMb, ownMb, fds, children, timers } = holdings
  const memory = `${rssMb.toFixed(1)} MB, ${ownMb.toFixed(1)} of them own`
  const counts = `${fds} descriptors, ${children} processes, ${timers} timers`
  console.log(`${name.padStart(11)}  ${memory}  ${counts}  ${JSON.stringify(answers)}`)
  return holdings
}

interface Seen {
  readonly begin: Holdings
  /** One a minute. */
  readonly samples: readonly Holdings[]
  readonly end: Holdings
  readonly liveBefore: number
  readonly liveAfter: number
}

function judge({ begin, samples, end, liveBefore, liveAfter }: Seen): boolean {
  const last = samples.slice(Math.floor(samples.length / 3)).map(({ ownMb }) => ownMb)
  const percent = ((slopeOf(last) * 10) / (last[0] ?? 1)) * 100
  const live = (liveAfter / liveBefore - 1) * 100
  const heapText = `${liveBefore.toFixed(1)} MB before, ${liveAfter.toFixed(1)} MB after`
  const checks = [
    [
      `own memory grows by ${percent.toFixed(2)} % in ten minutes, below ${MOST_PERCENT}`,
      percent < MOST_PERCENT,
    ],
    [`live heap: ${heapText}, at most ${MOST_LIVE_PERCENT} % more`, live <= MOST_LIVE_PERCENT],
    [`descriptors: ${begin.fds} before, ${end.fds} after`, end.fds <= begin.fds],
    [`processes: ${begin.children} before, ${end.children} after`, end.children <= begin.children],
    [`timers: ${begin.timers} before, ${end.timers} after`, end.timers <= begin.timers],
  ] as const
  for (const [text, holds] of checks) console.log(`${verdictOf(holds)} ${text}`)
  return checks.every(([, holds]) => holds)
}

/** The slope of the line through equidistant points with the least squares. */
function slopeOf(points: readonly number[]): number {
  const middle = (points.length - 1) / 2
  const mean = points.reduce((sum, value) => sum + value, 0) / points.length
  const up = points.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0)
  const along = points.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
  return up / along
}
