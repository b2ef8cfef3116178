/**
 * Starts `serve` and `demo` in turns, also those of another checkout, and prints how long they take until they can be
 * called: CPU time of all threads, which other programs hardly change, and time on the clock.
 *
 *   node bench/start.ts [--rounds 15] [--against DIR]
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cpuTime } from './support/cpu-time.ts'
import { scratchDirectory } from './support/on-interrupt.ts'
import { Processes } from './support/processes.ts'
import { checkoutAt, orRefuse, readOptions } from './support/read-options.ts'
import { spreadOf } from './support/spread.ts'

const { values } = readOptions({
  command: 'node bench/start.ts',
  about: 'Measures how long starts of serve and demo take until they can be called.',
  options: {
    rounds: { value: 15, help: 'starts of each' },
    against: { value: '', help: 'the directory of another checkout, to start beside this one' },
  },
})
const THIS_CHECKOUT = fileURLToPath(new URL('..', import.meta.url))
const others =
  values.against === '' ? [] : [orRefuse('node bench/start.ts', () => checkoutAt(values.against))]
const variants = ['serve', 'demo'].flatMap(command =>
  [THIS_CHECKOUT, ...others].map(checkout => ({ command, checkout, starts: [] as Start[] })),
)

interface Start {
  readonly cpuMs: number
  readonly wallMs: number
}

// The first round fills the compile cache.
for (let round = 0; round <= values.rounds; round++) {
  for (const { command, checkout, starts } of variants) {
    const start = await measure(command, checkout)
    if (round > 0) starts.push(start)
  }
}
for (const { command, checkout, starts } of variants) {
  const cpu = describe(starts.map(({ cpuMs }) => cpuMs))
  const wall = describe(starts.map(({ wallMs }) => wallMs))
  console.log(`${command.padEnd(6)} ${cpu} ms of CPU, ${wall} ms on the clock  ${checkout}`)
}

async function measure(command: string, checkout: string): Promise<Start> {
  const directory = await scratchDirectory('start')
  await using processes = new Processes(false)
  const began = performance.now()
  const child = processes.start([process.execPath, join(checkout, 'bin/signalbox.js'), command], {
    half: 'servers',
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      SANDBOX_PORT: '0',
      SIGNALBOX_JOURNAL: join(directory, 'journal.sqlite'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  try {
    await untilCallable(child)
    const wallMs = performance.now() - began
    return { cpuMs: (cpuTime(Number(child.pid)) ?? Number.NaN) / 1000, wallMs }
  } finally {
    child.kill('SIGTERM')
    await ended
    await rm(directory, { recursive: true })
  }
}

/** `serve` logs its address, and `demo` prints a welcome. */
async function untilCallable(child: ChildProcess): Promise<void> {
  const { promise, resolve: found, reject } = Promise.withResolvers<void>()
  let output = ''
  child.stdout?.on('data', chunk => {
    output += chunk
    if (/listening on|^Signalbox/m.test(output)) found()
  })
  child.once('exit', () => reject(new Error(`the start ended early:\n${output}`)))
  await promise
}

function describe(times: readonly number[]): string {
  const { median, low, high } = spreadOf(times)
  return `${median.toFixed(0)} [${low.toFixed(0)}–${high.toFixed(0)}]`
}
