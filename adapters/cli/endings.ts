import { type Verdict, verdict } from '../failures/verdict.ts'
import { verdictOfSignal } from '../failures/vocabulary/exit-codes.ts'
import type { KillReason, ProcessResult } from './process-runner.ts'
import { notInstalled } from './program.ts'

/** A verdict and its message, for the program's name. */
type Ending = readonly [Verdict, (tool: string) => string]

const unusable = verdict('ADAPTER_UNSUPPORTED')
const exhausted = verdict('UNKNOWN', { retryable: true, writeOutcome: 'not_applied' })

const notFound: Ending = [unusable, notInstalled]
const notExecutable: Ending = [unusable, tool => `${tool} is installed, but cannot be executed.`]
const noResources: Ending = [
  exhausted,
  tool => `The machine has no resources for another process; ${tool} was not started.`,
]
const timedOut: Ending = [
  verdict('TIMEOUT'),
  tool => `${tool} was stopped: it did not finish within the attempt's time.`,
]
const cancelled: Ending = [
  verdict('CANCELLED'),
  tool => `${tool} was stopped because the caller went away.`,
]
const flooded: Ending = [
  verdict('TOO_LARGE', { writeOutcome: 'unknown' }),
  tool => `${tool} was stopped: it printed more than max_output_bytes allows.`,
]

/** Errors that stop a program that runs. */
const STOPS: Readonly<Record<string, Ending>> = {
  ERR_CHILD_PROCESS_STDIO_MAXBUFFER: flooded,
  ETIMEDOUT: timedOut,
  ABORT_ERR: cancelled,
}

/** Errors from starting a program, when nothing was sent. */
const SPAWN_ERRORS: Readonly<Record<string, Ending>> = {
  ENOENT: notFound,
  ENOTDIR: notFound,
  ELOOP: notFound,
  ENAMETOOLONG: notFound,
  EACCES: notExecutable,
  EPERM: notExecutable,
  ENOEXEC: notExecutable,
  EISDIR: notExecutable,
  ELIBBAD: notExecutable,
  EINVAL: notExecutable,
  EAGAIN: noResources,
  EMFILE: noResources,
  ENFILE: noResources,
  ENOMEM: noResources,
  ENOSPC: noResources,
  EINTR: noResources,
  ETXTBSY: [exhausted, tool => `${tool} is being replaced right now.`],
  E2BIG: [verdict('TOO_LARGE'), tool => `The input is too large for the arguments of ${tool}.`],
  ERR_INVALID_ARG_VALUE: [
    verdict('VALIDATION', { fallback: true }),
    tool => `The input contains a NUL character, which cannot be passed to ${tool}.`,
  ],
}

const KILLS: Readonly<Record<KillReason, Ending>> = {
  deadline: timedOut,
  cancelled,
  output_limit: flooded,
}

/** The meaning of a program that failed to start or was killed; null if it exited by itself. */
export function meaningOfEnding({ spawnError, killedBy, signal }: ProcessResult): Ending | null {
  if (killedBy) return spawnError ? beforeStart(KILLS[killedBy]) : KILLS[killedBy]
  if (spawnError)
    return (
      STOPS[spawnError.code] ?? SPAWN_ERRORS[spawnError.code] ?? unknownSpawnError(spawnError.code)
    )
  return signal === null ? null : killedBySignal(signal)
}

/** Whether the error stopped a program that ran, and may have sent something. */
export function wasStopped({ spawnError, killedBy }: ProcessResult): boolean {
  return killedBy === null && spawnError !== null && Object.hasOwn(STOPS, spawnError.code)
}

/** The ending of a call that was aborted before its program started. */
function beforeStart([meaning, describe]: Ending): Ending {
  return [{ ...meaning, writeOutcome: 'not_applied' }, describe]
}

function unknownSpawnError(code: string): Ending {
  return [
    verdict('UNKNOWN', { writeOutcome: 'not_applied' }),
    tool => `${tool} could not be started (${code}).`,
  ]
}

function killedBySignal(signal: string): Ending {
  const meaning = verdictOfSignal(signal)
  return [
    meaning,
    tool => `${tool} ${meaning.retryable ? 'was killed from outside' : 'crashed'} (${signal}).`,
  ]
}
