import type { Signal } from '../../src/lib/signal.ts'

/** The complete description of one program run. The process inherits nothing else. */
export interface ProcessSpec {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Null for no standard input. */
  readonly stdin: string | null
  /** Limit for stdout and stderr together; a process that prints more is killed. */
  readonly maxOutputBytes: number
  /** Milliseconds from SIGTERM to SIGKILL. */
  readonly graceMs: number
}

/** Why a call was aborted. */
export type AbortReason = 'deadline' | 'cancelled'

/** Why the gateway killed a process. */
export type KillReason = AbortReason | 'output_limit'

export interface SpawnError {
  /** The errno name, or Node's `ERR_…` code. */
  readonly code: string
  readonly message: string
}

/** How a run ended. Every ending has the same keys. */
export interface ProcessResult {
  /** Null if a signal ended the process, the gateway did not wait for its exit, or it never ran. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly spawnError: SpawnError | null
  readonly killedBy: KillReason | null
}

export interface Run {
  /** Resolves as soon as the result is known; on abort, immediately. Never rejects. */
  readonly result: Promise<ProcessResult>
  /** Resolves when no process of the run is left. Never rejects. */
  readonly gone: Promise<void>
}

/** How many programs were started, and how long it took from asking for each to its start. */
export interface Starts {
  readonly started: number
  readonly starting_ms: number
}

/** Runs programs, either as children of this process or through a small helper process. */
export interface ProcessRunner {
  run(spec: ProcessSpec, signal: Signal): Run
  /** Since this runner was made. Absent where starts are not timed. */
  starts?(): Starts
  /** Keeps nothing between runs from now on. */
  retire?(): void
  /** Kills all running processes and waits until they are gone. */
  close(): Promise<void>
}

/** A deadline aborts with a `TimeoutError` or a gateway error with the code TIMEOUT; a caller, with any other. */
export function abortReasonOf(signal: Signal): AbortReason {
  const { name, code } = (signal.reason ?? {}) as { name?: unknown; code?: unknown }
  return name === 'TimeoutError' || code === 'TIMEOUT' ? 'deadline' : 'cancelled'
}

const NOTHING = new Uint8Array()

/** The result for a program that never ran. */
export function unstarted(
  spawnError: SpawnError,
  killedBy: KillReason | null = null,
): ProcessResult {
  return { exitCode: null, signal: null, stdout: NOTHING, stderr: NOTHING, spawnError, killedBy }
}

/** The result for a call that was aborted before its program started. */
export function abortedBeforeStart(signal: Signal): ProcessResult {
  return unstarted(
    { code: 'ABORT_ERR', message: 'aborted before it started' },
    abortReasonOf(signal),
  )
}

/** The result for a call that waited for its turn when the gateway broke off all calls. */
export const CUT_BEFORE_START: ProcessResult = unstarted(
  { code: 'ABORT_ERR', message: 'broken off before it started' },
  'cancelled',
)
