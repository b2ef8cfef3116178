import type { Signal } from '../../src/lib/signal.ts'

/** One program to run, completely described: nothing is inherited but what stands here. */
export interface ProcessSpec {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Null closes standard input at once. */
  readonly stdin: string | null
  /** Bytes of stdout and stderr together, after which the process is killed. */
  readonly maxOutputBytes: number
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number
}

/** Why the gateway itself ended a process. */
export type KillReason = 'deadline' | 'cancelled' | 'output_limit'

export interface SpawnError {
  /** errno name or Node's `ERR_…` code. */
  readonly code: string
  readonly message: string
}

/** How a run ended. One key set for every ending, so that no reader probes for keys. */
export interface ProcessResult {
  /** Null when a signal ended it, when the gateway did not wait for it, or when it never ran. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly spawnError: SpawnError | null
  readonly killedBy: KillReason | null
}

export interface Run {
  /** Settles as soon as the answer is known; on abort that is at once. Never rejects. */
  readonly result: Promise<ProcessResult>
  /** Settles when no process of the run is left. Never rejects. */
  readonly gone: Promise<void>
}

/** Runs programs. Two implementations: in this process, and in a small helper process. */
export interface ProcessRunner {
  run(spec: ProcessSpec, signal: Signal): Run
  /** Kills what still runs and waits until it is gone. */
  close(): Promise<void>
}

/** A deadline aborts with a `TimeoutError` or a gateway error of code `TIMEOUT`; all else is a caller who left. */
export function killReasonOf(signal: Signal): 'deadline' | 'cancelled' {
  const { name, code } = (signal.reason ?? {}) as { name?: unknown; code?: unknown }
  return name === 'TimeoutError' || code === 'TIMEOUT' ? 'deadline' : 'cancelled'
}

const NOTHING = new Uint8Array()

/** The result of a program that never ran. */
export function unstarted(
  spawnError: SpawnError,
  killedBy: KillReason | null = null,
): ProcessResult {
  return { exitCode: null, signal: null, stdout: NOTHING, stderr: NOTHING, spawnError, killedBy }
}

/** Time was up, or the caller gone, before the program was started. */
export function abortedBeforeStart(signal: Signal): ProcessResult {
  return unstarted(
    { code: 'ABORT_ERR', message: 'aborted before it started' },
    killReasonOf(signal),
  )
}
