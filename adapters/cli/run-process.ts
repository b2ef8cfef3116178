import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Signal } from '../../src/lib/signal.ts'
import {
  abortedBeforeStart,
  abortReasonOf,
  type KillReason,
  type ProcessResult,
  type ProcessRunner,
  type ProcessSpec,
  type Run,
  type SpawnError,
  unstarted,
} from './process-runner.ts'

/** How long to wait for more output of an ended process whose pipe an escaped grandchild keeps open. */
const PIPE_GRACE_MS = 100

/** A run whose process is a child of this one. */
export interface LocalRun extends Run {
  /** The process id, which is also that of its process group; undefined if nothing was started. */
  readonly pid: number | undefined
}

export interface LocalRunner extends ProcessRunner {
  run(spec: ProcessSpec, signal: Signal): LocalRun
}

/**
 * Runs programs as children of this process. Starting one blocks the event loop, for longer the more
 * memory this process uses, so the gateway uses the helper process instead.
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
        // `spawn` throws for E2BIG and NUL bytes, and reports other errors as an 'error' event.
        return settled(unstarted(spawnErrorOf(error)))
      }
      const process = new RunningProcess(child, spec, signal)
      running.add(process)
      void process.gone.then(() => running.delete(process))
      return process
    },
    async close() {
      const processes = [...running]
      for (const process of processes) process.kill('cancelled', 0)
      await Promise.all(processes.map(process => process.gone))
    },
  }
}

function settled(result: ProcessResult): LocalRun {
  return { result: Promise.resolve(result), gone: Promise.resolve(), pid: undefined }
}

/**
 * `detached` makes the child the leader of a new session: it has no terminal to prompt on, and one signal
 * reaches its whole process group.
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
  readonly pendingResult = Promise.withResolvers<ProcessResult>()
  readonly pendingEnd = Promise.withResolvers<void>()
  bytes = 0
  killedBy: KillReason | null = null
  killTimer: NodeJS.Timeout | undefined
  stopListening: () => void = () => {}

  constructor(child: ChildProcess, spec: ProcessSpec, signal: Signal) {
    this.child = child
    this.pid = child.pid
    this.spec = spec
    this.result = this.pendingResult.promise
    this.gone = this.pendingEnd.promise
    this.collect(child.stdout, this.stdout)
    this.collect(child.stderr, this.stderr)
    this.writeStdin()
    child.once('error', error => this.onError(error))
    child.once('exit', () => void this.onExit())
    const onAbort = () => this.kill(abortReasonOf(signal), spec.graceMs)
    signal.addEventListener('abort', onAbort)
    this.stopListening = () => signal.removeEventListener('abort', onAbort)
  }

  collect(stream: Readable | null, chunks: Uint8Array[]): void {
    stream?.on('data', (chunk: Uint8Array) => {
      this.bytes += chunk.length
      if (this.bytes <= this.spec.maxOutputBytes) chunks.push(chunk)
      else if (this.killedBy === null) this.kill('output_limit', 0)
    })
    // The exit code shows a broken pipe. Without a listener, the error would crash the gateway.
    stream?.on('error', () => {})
  }

  writeStdin(): void {
    const { stdin } = this.child
    // EPIPE only means that the child stopped reading; its exit code and stderr say why.
    stdin?.on('error', () => {})
    stdin?.end(this.spec.stdin ?? '')
  }

  /** Resolves the result immediately: the caller does not wait for a process that ignores SIGTERM. */
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

  async onExit(): Promise<void> {
    clearTimeout(this.killTimer)
    this.stopListening()
    // Kill the processes that the child started and left behind.
    this.signalGroup('SIGKILL')
    await this.drain()
    this.child.stdout?.destroy()
    this.child.stderr?.destroy()
    this.child.stdin?.destroy()
    this.settle(this.child.exitCode, this.child.signalCode)
    this.pendingEnd.resolve()
  }

  /**
   * Waits until both pipes are closed, or silent for the grace period plus a turn of the event loop. The
   * turn makes sure that a busy loop does not cut off output that is still waiting to be read.
   */
  async drain(): Promise<void> {
    const closed = Promise.all([closeOf(this.child.stdout), closeOf(this.child.stderr)])
    let open = true
    void closed.then(() => (open = false))
    for (let seen = -1; open && seen !== this.bytes; ) {
      seen = this.bytes
      await Promise.race([closed, delay(PIPE_GRACE_MS)])
      await new Promise(setImmediate)
    }
  }

  /** An error with a pid comes from a process that runs, whose exit says the rest. */
  onError(error: Error): void {
    if (this.pid !== undefined) return
    this.stopListening()
    this.pendingResult.resolve(unstarted(spawnErrorOf(error)))
    this.pendingEnd.resolve()
  }

  settle(exitCode: number | null, signal: string | null): void {
    this.pendingResult.resolve({
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

/** Signals a process group. Ignores a group that is gone (ESRCH) or only a zombie (EPERM on macOS). */
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
