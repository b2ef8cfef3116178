import { access, constants } from 'node:fs/promises'
import { basename, delimiter, join, resolve } from 'node:path'
import type { Unavailable } from '../../src/model/adapter.ts'
import type { ProcessRunner, ProcessSpec } from './process-runner.ts'

/** A version that was found is believed for long: programs are replaced with the container. */
const GOOD_FOR_MS = 10 * 60_000
const BAD_FOR_MS = 30_000
const PROBE_TIMEOUT_MS = 10_000

export interface Program {
  readonly name: string
  /** What to spawn. */
  readonly command: string
  /** Null when the program is here and at least that new. Asked at most once at a time, and remembered. */
  unavailable(minVersion: string | null): Promise<Unavailable | null> | Unavailable | null
  /** After a failed start: look again before the next call. */
  forget(): void
}

export interface ProgramOptions {
  readonly command: string
  readonly versionArgs: readonly string[]
  readonly runner: ProcessRunner
  readonly surroundings: () => Promise<Omit<ProcessSpec, 'command' | 'args' | 'stdin'>>
  readonly now: () => number
  readonly searchPath: string
}

/** `fault` is why it cannot be run although it may be there: a code of the system, such as EROFS. */
type Found =
  | { readonly here: false; readonly fault: string | null }
  | { readonly here: true; readonly version: string | null }

interface Known {
  readonly found: Found
  readonly until: number
  readonly versioned: boolean
  /** By the version that was wanted. */
  readonly objections: Map<string | null, Unavailable | null>
}

interface Look {
  readonly versioned: boolean
  readonly found: Promise<Found>
}

/**
 * Knows whether a program is there. It is never asked whether it is logged in: such commands go to the
 * network, and fail for reasons of their own.
 */
export function createProgram(options: ProgramOptions): Program {
  const command = options.command.includes('/') ? resolve(options.command) : options.command
  const name = basename(command)
  let known: Known | null = null
  let looking: Look | null = null

  async function look(versioned: boolean): Promise<Found> {
    const found = await find(versioned)
    const good = found.here && (found.version !== null || !versioned)
    const until = options.now() + (good ? GOOD_FOR_MS : BAD_FOR_MS)
    known = { found, versioned, until, objections: new Map() }
    return found
  }

  async function find(versioned: boolean): Promise<Found> {
    try {
      const here = await isExecutable(command, options.searchPath)
      if (!here) return { here, fault: null }
      return { here, version: versioned ? await readVersion(command, options) : null }
    } catch (error) {
      return { here: false, fault: (error as NodeJS.ErrnoException).code ?? 'no known reason' }
    }
  }

  /** Joins the look that is under way, unless that one does not ask for the version. */
  function lookOnce(versioned: boolean): Promise<Found> {
    if (looking && (looking.versioned || !versioned)) return looking.found
    const own: Look = {
      versioned,
      found: look(versioned).finally(() => {
        if (looking === own) looking = null
      }),
    }
    looking = own
    return own.found
  }

  /** Every plan asks, and the answer is the same for as long as what was found is believed. */
  function objectionIn({ found, objections }: Known, minVersion: string | null) {
    let answer = objections.get(minVersion)
    if (answer === undefined) {
      answer = objection(name, found, minVersion)
      objections.set(minVersion, answer)
    }
    return answer
  }

  return {
    name,
    command,
    unavailable(minVersion) {
      const versioned = minVersion !== null
      if (known && known.until > options.now() && (known.versioned || !versioned)) {
        return objectionIn(known, minVersion)
      }
      return lookOnce(versioned).then(found => objection(name, found, minVersion))
    },
    forget() {
      known = null
    },
  }
}

function objection(name: string, found: Found, minVersion: string | null): Unavailable | null {
  if (!found.here && found.fault !== null) {
    return {
      reason: 'CLI_NOT_AVAILABLE',
      message: `${name} cannot be run here (${found.fault}).`,
      fix: 'Let the gateway write to its directory for temporary files (TMPDIR), where programs get an empty home.',
    }
  }
  if (!found.here) {
    return {
      reason: 'CLI_NOT_AVAILABLE',
      message: `${name} is not installed here, or not on PATH.`,
      fix: `Install ${name} (apt-get install ${name}, brew install ${name}), or set cli.command in upstream.yaml to its path.`,
    }
  }
  if (minVersion === null) return null
  if (found.version !== null && isAtLeast(found.version, minVersion)) return null
  return {
    reason: 'ADAPTER_UNSUPPORTED',
    message: `This needs ${name} ≥ ${minVersion}, found ${found.version ?? 'no version'}.`,
    fix: `Install ${name} ${minVersion} or newer.`,
  }
}

async function isExecutable(command: string, searchPath: string): Promise<boolean> {
  const directories = command.includes('/') ? [''] : searchPath.split(delimiter)
  for (const directory of directories) {
    try {
      await access(join(directory, command), constants.X_OK)
      return true
    } catch {
      // Not in this one.
    }
  }
  return false
}

async function readVersion(
  command: string,
  { versionArgs, runner, surroundings }: ProgramOptions,
): Promise<string | null> {
  const spec = { ...(await surroundings()), command, args: versionArgs, stdin: null }
  const { stdout } = await runner.run(spec, AbortSignal.timeout(PROBE_TIMEOUT_MS)).result
  return /\d+(?:\.\d+)+/.exec(Buffer.from(stdout).toString())?.[0] ?? null
}

/** Compares numbers part by part; what follows them (`-rc.1`, `+dfsg`) does not count. */
export function isAtLeast(version: string, minimum: string): boolean {
  const [found, wanted] = [version, minimum].map(text => text.split('.').map(Number))
  for (const [index, part] of (wanted ?? []).entries()) {
    const difference = (found?.[index] ?? 0) - part
    if (difference !== 0) return difference > 0
  }
  return true
}
