import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Signal } from '../../src/lib/signal.ts'
import {
  abortedBeforeStart,
  type KillReason,
  killReasonOf,
  type ProcessResult,
  type ProcessRunner,
  type ProcessSpec,
  type Run,
  type SpawnError,
  unstarted,
} from './process-runner.ts'

/** How long an ended process's pipe may stay silent while a stray grandchild holds it. */
const PIPE_GRACE_MS = 100

/** A run in this process, whose process can be named. */
export interface LocalRun extends Run {
  /** Also the number of its process group; undefined when nothing was started. */
  readonly pid: number | undefined
}

export interface LocalRunner extends ProcessRunner {
  run(spec: ProcessSpec, signal: Signal): LocalRun
}

/**
 * Runs programs as children of this process. Starting one blocks the event loop, the longer the more
 * memory this process has: inside the gateway use the helper process instead.
 */
export function createInProcessRunner(): LocalRunner {
  const running = new Set<RunningProcess>()
  return {
    run(spec, signal) {
      if (signal.aborted) return settled(abortedBeforeStart(signal))
      let child: ChildProcess
      try {
        child = start(spec)
      } catch (error) {
        // E2BIG and NUL bytes are thrown synchronously; the rest arrives as an 'error' event.
        return settled(unstarted(spawnErrorOf(error)))
      }
      const process = new RunningProcess(child, spec, signal)
      running.add(process)
      void process.gone.then(() => running.delete(process))
      return process
    },
    async close() {
      const left = [...running]
      for (const process of left) process.kill('cancelled', 0)
      await Promise.all(left.map(process => process.gone))
    },
  }
}

function settled(result: ProcessResult): LocalRun {
  return { result: Promise.resolve(result), gone: Promise.resolve(), pid: undefined }
}

/**
 * `detached` makes the child lead its own session: there is no terminal to prompt on, and its whole
 * process group can be signalled at once.
 */
function start(spec: ProcessSpec): ChildProcess {
  const { command, args, env, cwd, stdin } = spec
  return spawn(command, args, {
    env,
    cwd,
    detached: true,
    shell: false,
    windowsHide: true,
    stdio: [stdin === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
}

class RunningProcess implements LocalRun {
  readonly pid: number | undefined
  readonly result: Promise<ProcessResult>
  readonly gone: Promise<void>
  readonly child: ChildProcess
  readonly spec: ProcessSpec
  readonly stdout: Uint8Array[] = []
  readonly stderr: Uint8Array[] = []
  readonly answer = Promise.withResolvers<ProcessResult>()
  readonly ended = Promise.withResolvers<void>()
  bytes = 0
  killedBy: KillReason | null = null
  killTimer: NodeJS.Timeout | undefined
  stopListening: () => void = () => {}

  constructor(child: ChildProcess, spec: ProcessSpec, signal: Signal) {
    this.child = child
    this.pid = child.pid
    this.spec = spec
    this.result = this.answer.promise
    this.gone = this.ended.promise
    this.collect(child.stdout, this.stdout)
    this.collect(child.stderr, this.stderr)
    this.feed()
    child.once('error', error => this.neverRan(error))
    child.once('exit', () => void this.exited())
    const onAbort = () => this.kill(killReasonOf(signal), spec.graceMs)
    signal.addEventListener('abort', onAbort)
    this.stopListening = () => signal.removeEventListener('abort', onAbort)
  }

  collect(stream: Readable | null, chunks: Uint8Array[]): void {
    stream?.on('data', (chunk: Uint8Array) => {
      this.bytes += chunk.length
      if (this.bytes <= this.spec.maxOutputBytes) chunks.push(chunk)
      else if (this.killedBy === null) this.kill('output_limit', 0)
    })
    // A pipe that breaks shows in the exit code; without a listener it would end the gateway.
    stream?.on('error', () => {})
  }

  feed(): void {
    const { stdin } = this.child
    // EPIPE only says that the child did not read on; its exit code and stderr say why.
    stdin?.on('error', () => {})
    stdin?.end(this.spec.stdin ?? '')
  }

  /** Answers at once and lets the killing go on: whether a process minds SIGTERM is not the caller's wait. */
  kill(reason: KillReason, graceMs: number): void {
    this.killedBy ??= reason
    this.stopListening()
    if (graceMs === 0) this.signalGroup('SIGKILL')
    else {
      this.signalGroup('SIGTERM')
      this.killTimer = setTimeout(() => this.signalGroup('SIGKILL'), graceMs)
    }
    this.settle(null, null)
  }

  async exited(): Promise<void> {
    clearTimeout(this.killTimer)
    this.stopListening()
    // What is left of the group was started by the child, and nobody is going to wait for it.
    this.signalGroup('SIGKILL')
    await this.drained()
    this.child.stdout?.destroy()
    this.child.stderr?.destroy()
    this.child.stdin?.destroy()
    this.settle(this.child.exitCode, this.child.signalCode)
    this.ended.resolve()
  }

  /**
   * Resolves when both pipes are closed, or silent for the grace period. The silence is measured over
   * a full turn of the event loop, so that a busy loop cannot cut output that is waiting to be read.
   */
  async drained(): Promise<void> {
    const closed = Promise.all([closeOf(this.child.stdout), closeOf(this.child.stderr)])
    let open = true
    void closed.then(() => (open = false))
    for (let seen = -1; open && seen !== this.bytes; ) {
      seen = this.bytes
      await Promise.race([closed, delay(PIPE_GRACE_MS)])
      await new Promise(setImmediate)
    }
  }

  neverRan(error: Error): void {
    if (this.pid !== undefined) return
    this.stopListening()
    this.answer.resolve(unstarted(spawnErrorOf(error)))
    this.ended.resolve()
  }

  settle(exitCode: number | null, signal: string | null): void {
    this.answer.resolve({
      exitCode,
      signal,
      stdout: Buffer.concat(this.stdout),
      stderr: Buffer.concat(this.stderr),
      spawnError: null,
      killedBy: this.killedBy,
    })
  }

  signalGroup(signal: NodeJS.Signals): void {
    if (this.pid !== undefined) signalGroup(this.pid, signal)
  }
}

/** Signals every process of a group; one that is gone (ESRCH) or only a zombie (EPERM on macOS) is no error. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

function closeOf(stream: Readable | null): Promise<void> {
  if (!stream || stream.closed) return Promise.resolve()
  return new Promise(resolve => stream.once('close', resolve))
}

function delay(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}

export function spawnErrorOf(error: unknown): SpawnError {
  const { code, message } = error as NodeJS.ErrnoException
  return { code: code ?? 'UNKNOWN', message }
}
