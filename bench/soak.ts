/**
 * Sends mixed traffic with faults to a gateway in its own process, and watches what it holds. Prints a line each minute,
 * then the slope of the memory over the last two thirds and what is left when all calls have ended. Exits with 1 if the memory
 * grows by 1 % in ten minutes, or if something is left.
 *
 *   node bench/soak.ts [--minutes 30] [--rate 30]
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createSandbox } from '../sandbox/index.ts'
import { githubEnv } from '../test/support/github.ts'
import { startGatewayProcess } from '../test/support/process.ts'
import { type Holdings, holdingsOf } from './support/holdings.ts'
import { nextCall, SOAK_FAULTS } from './support/soak-traffic.ts'
import { verdictOf } from './support/table.ts'

const MINUTE_MS = 60_000
const MOST_PERCENT = 1
/** Idle connections close, and what waits for a timer ends. */
const REST_MS = 90_000

const { values } = parseArgs({ options: { minutes: { type: 'string' }, rate: { type: 'string' } } })
const minutes = Number(values.minutes ?? 30)
const rate = Number(values.rate ?? 30)

const directory = await mkdtemp(join(tmpdir(), 'signalbox-soak-'))
const socketPath = join(directory, 'gh.sock')
const sandbox = await createSandbox({ port: 0, socketPath })
await writeFile(join(directory, 'config.yml'), `http_unix_socket: ${socketPath}\n`)
const gateway = await startGatewayProcess({
  ...githubEnv(sandbox.url),
  GH_CONFIG_DIR: directory,
  SIGNALBOX_JOURNAL: join(directory, 'journal.sqlite'),
})
const answers: Record<string, number> = {}
const running = new Set<Promise<void>>()

try {
  const samples = await soak()
  await Promise.all(running)
  await delay(REST_MS)
  const end = await holdings()
  print('rest', end)
  process.exitCode = judge(samples, end) ? 0 : 1
} finally {
  await gateway.end('SIGTERM')
  await sandbox.close()
  await rm(directory, { recursive: true, force: true })
}

/** One sample at the beginning, after a first round of each kind of call, and one after each minute. */
async function soak(): Promise<readonly Holdings[]> {
  for (let n = 0; n < 200; n++) await send(n)
  await delay(REST_MS)
  const samples = [await holdings()]
  print('begin', samples[0] as Holdings)
  for (let minute = 1, sent = 0; minute <= minutes; minute++) {
    sandbox.reset()
    sandbox.faults.set(minute % 2 === 0 ? [...SOAK_FAULTS] : [])
    const end = performance.now() + MINUTE_MS
    for (; performance.now() < end; sent++) {
      const call = send(sent).finally(() => running.delete(call))
      running.add(call)
      await delay(1000 / rate)
    }
    const sample = await holdings()
    samples.push(sample)
    print(`${minute} min`, sample)
  }
  return samples
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

async function holdings(): Promise<Holdings> {
  return await holdingsOf(gateway.child.pid as number, gateway.url)
}

function print(name: string, { rssMb, fds, children, timers }: Holdings): void {
  const counts = `${fds} descriptors, ${children} processes, ${timers} timers`
  console.log(`${name.padStart(7)}  ${rssMb.toFixed(1)} MB  ${counts}  ${JSON.stringify(answers)}`)
}

function judge(samples: readonly Holdings[], end: Holdings): boolean {
  const begin = samples[0] as Holdings
  const last = samples.slice(Math.ceil(samples.length / 3)).map(({ rssMb }) => rssMb)
  const percent = ((slopeOf(last) * 10) / (last[0] ?? 1)) * 100
  const checks = [
    [`memory grows by ${percent.toFixed(2)} % in ten minutes`, percent < MOST_PERCENT],
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
