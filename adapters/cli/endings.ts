import { constants } from 'node:os'
import { type Verdict, verdict } from '../http/judge/verdict.ts'
import type { KillReason, ProcessResult } from './process-runner.ts'

/** A verdict and the words for it; `tool` is the program's name. */
type Ending = readonly [Verdict, (tool: string) => string]

const unusable = verdict('ADAPTER_UNSUPPORTED')
const exhausted = verdict('UNKNOWN', { retryable: true, writeOutcome: 'not_applied' })

const notFound: Ending = [unusable, tool => `${tool} is not installed here, or not on PATH.`]
const notExecutable: Ending = [unusable, tool => `${tool} is here, but cannot be executed.`]
const noResources: Ending = [
  exhausted,
  tool => `The machine has no room for another process; ${tool} was not started.`,
]
const timedOut: Ending = [
  verdict('TIMEOUT'),
  tool => `${tool} was stopped: it had not answered when the attempt's time was up.`,
]
const cancelled: Ending = [
  verdict('CANCELLED'),
  tool => `${tool} was stopped because the caller went away.`,
]
const flooded: Ending = [
  verdict('TOO_LARGE', { writeOutcome: 'unknown' }),
  tool => `${tool} was stopped: it printed more than is accepted.`,
]

/** Errors of starting a program. None of them has sent anything, but for those that we cause later. */
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
  ETXTBSY: [exhausted, tool => `${tool} is being replaced at this moment.`],
  E2BIG: [
    verdict('TOO_LARGE'),
    tool => `The input is larger than the arguments of ${tool} may be.`,
  ],
  ERR_INVALID_ARG_VALUE: [
    verdict('VALIDATION', { fallback: true }),
    tool => `The input holds a NUL character, which ${tool} cannot be given.`,
  ],
  ERR_CHILD_PROCESS_STDIO_MAXBUFFER: flooded,
  ETIMEDOUT: timedOut,
  ABORT_ERR: cancelled,
}

const KILLS: Readonly<Record<KillReason, Ending>> = {
  deadline: timedOut,
  cancelled,
  output_limit: flooded,
}

/** Signals that a program brings upon itself; the same call would do so again. */
const CRASHES = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT', 'SIGTRAP', 'SIGSYS', 'SIGXFSZ']

/** Conventions of shells and of timeout(1), followed when a program runs inside one. */
const EXIT_CODES: Readonly<Record<number, Ending>> = {
  124: [verdict('TIMEOUT'), tool => `${tool} ran out of the time that it was given.`],
  126: notExecutable,
  127: notFound,
}

/** What it means that a program did not come to an exit of its own; null when it did. */
export function meaningOfEnding({ spawnError, killedBy, signal }: ProcessResult): Ending | null {
  if (killedBy) return spawnError ? beforeStart(KILLS[killedBy]) : KILLS[killedBy]
  if (spawnError) return SPAWN_ERRORS[spawnError.code] ?? unknownSpawnError(spawnError.code)
  return signal === null ? null : killedBySignal(signal)
}

export function meaningOfExitCode(code: number | null): Ending | null {
  return code === null ? null : (EXIT_CODES[code] ?? null)
}

/** A shell that ran the program exits with 128 more than the number of the signal that ended it. */
export function meaningOfShellSignal(code: number | null): Ending | null {
  const signal = Object.entries(constants.signals).find(([, number]) => number + 128 === code)
  return signal ? killedBySignal(signal[0]) : null
}

/** Aborted while it waited for its turn. */
function beforeStart([meaning, words]: Ending): Ending {
  return [{ ...meaning, writeOutcome: 'not_applied' }, words]
}

function unknownSpawnError(code: string): Ending {
  return [
    verdict('UNKNOWN', { writeOutcome: 'not_applied' }),
    tool => `${tool} could not be started (${code}).`,
  ]
}

function killedBySignal(signal: string): Ending {
  const crashed = CRASHES.includes(signal)
  return [
    verdict('UNKNOWN', { retryable: !crashed }),
    tool => `${tool} ${crashed ? 'crashed' : 'was killed from outside'} (${signal}).`,
  ]
}
