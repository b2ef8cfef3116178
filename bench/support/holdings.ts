import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** The things that a gateway holds, as Linux and its own metrics tell; with workers, the sums over all. */
export interface Holdings {
  readonly rssMb: number
  /** Without the pages of files, which the kernel drops and reads again as it likes. */
  readonly ownMb: number
  /** Open files and sockets. */
  readonly fds: number
  /** Processes below it. */
  readonly children: number
  readonly timers: number
}

/** @param headers a key that may read `/metrics`, if the gateway has keys */
export async function holdingsOf(
  pid: number,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Holdings> {
  const [all, metrics] = await Promise.all([
    treeOf(pid),
    fetch(`${url}/metrics`, { headers }).then(response => response.text()),
  ])
  const gateways = await gatewaysOf(all)
  const [sizes, fds] = await Promise.all([
    Promise.all(gateways.map(sizeOf)),
    Promise.all(gateways.map(own => readdir(`/proc/${own}/fd`))),
  ])
  return {
    rssMb: sumOf(sizes.map(({ rss }) => rss)),
    ownMb: sumOf(sizes.map(({ own }) => own)),
    fds: sumOf(fds.map(({ length }) => length)),
    children: all.length - 1,
    timers: Number(/^nodejs_active_resources\{type="Timeout"\} (\d+)/m.exec(metrics)?.[1] ?? 0),
  }
}

/** The memory of a process and of those below it, in MB; what several of them share counts once. */
export async function memoryOf(pid: number): Promise<number> {
  const sizes = await Promise.all((await treeOf(pid)).map(proportionalSizeOf))
  return sumOf(sizes)
}

/** The memory of some processes together, in MB. */
export interface ProcessMemory {
  readonly rssMb: number
  /** Without the pages of files, which processes share. */
  readonly ownMb: number
  readonly sharedMb: number
  readonly processes: number
}

/** The memory of a process and of those below it. */
export async function processMemoryOf(pid: number): Promise<ProcessMemory> {
  const all = await treeOf(pid)
  const sizes = await Promise.all(all.map(sizeOf))
  const [rssMb, ownMb] = [sumOf(sizes.map(({ rss }) => rss)), sumOf(sizes.map(({ own }) => own))]
  return { rssMb, ownMb, sharedMb: rssMb - ownMb, processes: all.length }
}

/**
 * The heap and the buffers that a gateway and its workers use when they have collected all garbage, in MB. They must be started
 * with collect-garbage.ts.
 * @param heaps their SOAK_HEAPS
 */
export async function liveHeapOf(pid: number, heaps: string): Promise<number> {
  const gateways = await gatewaysOf(await treeOf(pid))
  const sizes = await Promise.all(
    gateways.map(async own => {
      const file = join(heaps, String(own))
      await rm(file, { force: true })
      process.kill(own, 'SIGWINCH')
      return await readWhenWritten(file)
    }),
  )
  return sumOf(sizes) / 2 ** 20
}

async function readWhenWritten(file: string): Promise<number> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text !== null) return Number(text)
    await delay(20)
  }
}

/** The process and all below it. Those that end meanwhile have none below them. */
async function treeOf(pid: number): Promise<readonly number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    tasks.map(task => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')),
  )
  const children = lists.flatMap(list => list.split(' ').filter(Boolean).map(Number))
  return [pid, ...(await Promise.all(children.map(treeOf))).flat()]
}

/** The first process and its workers, without the programs of CLI routes. */
async function gatewaysOf([pid = 0, ...below]: readonly number[]): Promise<readonly number[]> {
  const commands = await Promise.all(
    below.map(own => readFile(`/proc/${own}/cmdline`, 'utf8').catch(() => '')),
  )
  return [pid, ...below.filter((_, n) => commands[n]?.split('\0').includes('serve'))]
}

/** The memory of a process in MB: none if it has ended meanwhile. */
async function sizeOf(pid: number): Promise<{ readonly rss: number; readonly own: number }> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return { rss: sizeIn(text, 'Rss'), own: sizeIn(text, 'Anonymous') }
}

async function proportionalSizeOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return sizeIn(text, 'Pss')
}

/** A line of `smaps_rollup`, in MB. */
function sizeIn(rollup: string, name: 'Rss' | 'Pss' | 'Anonymous'): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1024
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
