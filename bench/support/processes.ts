import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onInterrupt } from './on-interrupt.ts'

/** The half of the cores that a process runs on: the load must not slow down the servers under test. */
export type Half = 'load' | 'servers'

export interface StartOptions {
  readonly half: Half
  readonly env?: NodeJS.ProcessEnv
  readonly stdio?: StdioOptions
  /** Whether it gets a process group of its own. @default false */
  readonly detached?: boolean
}

const GRACE_MS = 5000

/** The child processes of one bench. Disposing ends them all, and so does an interrupt. */
export class Processes implements AsyncDisposable {
  readonly #children: ChildProcess[] = []
  #isDisposed = false
  /** Whether each process is pinned to its half of the cores. */
  readonly pinned: boolean

  /** @param pin false lets every process run on all cores */
  constructor(pin = true) {
    this.pinned = pin && findOnPath('taskset') !== null && availableParallelism() > 1
    onInterrupt(() => this[Symbol.asyncDispose]())
  }

  /** @throws after the end, because nothing would end another process. */
  start(
    command: readonly string[],
    { half, env, stdio, detached = false }: StartOptions,
  ): ChildProcess {
    if (this.#isDisposed) throw new Error('the bench ends and starts no more processes')
    const [file = '', ...args] = this.pinned ? ['taskset', '-c', cores(half), ...command] : command
    const child = spawn(file, args, {
      stdio: stdio ?? ['ignore', 'inherit', 'inherit'],
      env: env ?? process.env,
      detached,
    })
    child.once('error', () => {})
    this.#children.push(child)
    return child
  }

  /** Starts a module that sends its port, or anything else, as its first message. */
  async fork(
    module: URL,
    args: readonly string[],
    half: Half,
  ): Promise<{ child: ChildProcess; first: unknown }> {
    const child = this.start([process.execPath, module.pathname, ...args], {
      half,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    return { child, first: await nextMessage(child) }
  }

  /** Ends one of them now. */
  async end(pid: number | null): Promise<void> {
    await Promise.all(this.#children.filter(child => child.pid === pid).map(end))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    await Promise.all(this.#children.toReversed().map(end))
  }
}

/** A child process that sends no message for this long hangs. */
const SILENCE_MS = 60_000

/** Rejects if the process ends or sends nothing within the limit. */
export async function nextMessage(child: ChildProcess, withinMs = SILENCE_MS): Promise<unknown> {
  const ended = new AbortController()
  const onExit = () => ended.abort()
  child.once('exit', onExit)
  const timer = setTimeout(onExit, withinMs)
  try {
    const [message] = (await once(child, 'message', { signal: ended.signal })) as unknown[]
    return message
  } catch (error) {
    throw new Error(`${child.spawnargs.join(' ')} ended early or hangs`, { cause: error })
  } finally {
    clearTimeout(timer)
    child.off('exit', onExit)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await Promise.race([exited, delay(GRACE_MS, undefined, { ref: false })])
  child.kill('SIGKILL')
  await exited
}

/** The cores of a half, in the format of `taskset -c`. */
function cores(half: Half): string {
  const count = availableParallelism()
  const middle = count >> 1
  return half === 'load' ? `0-${middle - 1}` : `${middle}-${count - 1}`
}

export function findOnPath(command: string): string | null {
  const directories = (process.env.PATH ?? '').split(delimiter)
  const files = directories.map(directory => join(directory, command))
  return files.find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
