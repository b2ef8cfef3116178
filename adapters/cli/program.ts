import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import type { Unavailable } from '../../src/model/adapter.ts'
import type { ProcessRunner, ProcessSpec } from './process-runner.ts'

/** How long to trust a found program: long, because programs change only with the container. */
const FOUND_FOR_MS = 10 * 60_000
const MISSING_FOR_MS = 30_000
const PROBE_TIMEOUT_MS = 10_000

export interface ProgramOptions {
  /** As upstream.yaml says it. */
  readonly command: string
  /** The program to spawn: a name on PATH, or a whole path. */
  readonly path: string
  readonly versionArgs: readonly string[]
  readonly runner: ProcessRunner
  readonly processSettings: () => Promise<Omit<ProcessSpec, 'command' | 'args' | 'stdin'>>
  readonly now: () => number
  readonly searchPath: string
}

/** `fault` is the system error code, such as EROFS, if the program may exist but cannot run. */
type Probe =
  | { readonly found: false; readonly fault: string | null }
  | { readonly found: true; readonly version: string | null }

interface KnownProbe {
  readonly probe: Probe
  readonly expiresAt: number
  readonly withVersion: boolean
  /** Cached answers, keyed by the required version. */
  readonly answers: Map<string | null, Unavailable | null>
}

interface RunningProbe {
  readonly withVersion: boolean
  readonly probe: Promise<Probe>
}

/**
 * Finds out whether a program is available, and remembers it. Does not check whether the program is
 * logged in: such commands use the network, and fail for reasons of their own.
 */
export class Program {
  readonly name: string
  /** The command to spawn. */
  readonly command: string
  readonly #options: ProgramOptions
  #known: KnownProbe | null = null
  #running: RunningProbe | null = null

  constructor(options: ProgramOptions) {
    this.command = options.path
    this.name = basename(this.command)
    this.#options = options
  }

  /** Returns null if the program exists and has at least that version. Runs at most one probe at a time. */
  unavailable(minVersion: string | null): Promise<Unavailable | null> | Unavailable | null {
    const withVersion = minVersion !== null
    const known = this.#known
    if (known && known.expiresAt > this.#options.now() && (known.withVersion || !withVersion)) {
      return this.#answerFrom(known, minVersion)
    }
    return this.#probeOnce(withVersion).then(probe =>
      reasonUnavailable(this.#options, probe, minVersion),
    )
  }

  /** After a failed start: probe again before the next call. */
  forget(): void {
    this.#known = null
  }

  /** Cached, because every plan asks. */
  #answerFrom({ probe, answers }: KnownProbe, minVersion: string | null): Unavailable | null {
    let answer = answers.get(minVersion)
    if (answer === undefined) {
      answer = reasonUnavailable(this.#options, probe, minVersion)
      answers.set(minVersion, answer)
    }
    return answer
  }

  /** Joins the running probe, unless that does not read a version which is needed. */
  #probeOnce(withVersion: boolean): Promise<Probe> {
    if (this.#running && (this.#running.withVersion || !withVersion)) return this.#running.probe
    const own: RunningProbe = {
      withVersion,
      probe: this.#probe(withVersion).finally(() => {
        if (this.#running === own) this.#running = null
      }),
    }
    this.#running = own
    return own.probe
  }

  async #probe(withVersion: boolean): Promise<Probe> {
    const probe = await this.#find(withVersion)
    const isGood = probe.found && (probe.version !== null || !withVersion)
    const expiresAt = this.#options.now() + (isGood ? FOUND_FOR_MS : MISSING_FOR_MS)
    this.#known = { probe, withVersion, expiresAt, answers: new Map() }
    return probe
  }

  async #find(withVersion: boolean): Promise<Probe> {
    try {
      const found = await isExecutable(this.command, this.#options.searchPath)
      if (!found) return { found, fault: null }
      return { found, version: withVersion ? await readVersion(this.command, this.#options) : null }
    } catch (error) {
      return { found: false, fault: (error as NodeJS.ErrnoException).code ?? 'unknown reason' }
    }
  }
}

export function notInstalled(name: string): string {
  return `${name} is not installed here, or not on PATH.`
}

function reasonUnavailable(
  program: ProgramOptions,
  probe: Probe,
  minVersion: string | null,
): Unavailable | null {
  if (!probe.found) return notFound(program, probe.fault)
  const name = basename(program.path)
  if (minVersion === null) return null
  if (probe.version !== null && isAtLeast(probe.version, minVersion)) return null
  return {
    reason: 'ADAPTER_UNSUPPORTED',
    message: `This needs ${name} ≥ ${minVersion}, found ${probe.version ?? 'no version'}.`,
    fix: `Install ${name} ${minVersion} or newer.`,
  }
}

function notFound(program: ProgramOptions, fault: string | null): Unavailable {
  const name = basename(program.path)
  if (fault !== null) {
    return {
      reason: 'CLI_NOT_AVAILABLE',
      message: `${name} cannot be run here (${fault}).`,
      fix: 'Let the gateway write to the directory for temporary files (TMPDIR), where it creates an empty home for programs.',
    }
  }
  if (program.path.includes('/')) return notRunnable(program)
  return {
    reason: 'CLI_NOT_AVAILABLE',
    message: notInstalled(name),
    fix: `Install ${name} (apt-get install ${name}, brew install ${name}), or set cli.command in upstream.yaml to its path.`,
  }
}

/** No package manager has the program at somebody's own path. */
function notRunnable({ command, path }: ProgramOptions): Unavailable {
  const reason = 'CLI_NOT_AVAILABLE'
  // Callers see this, and the folders of this machine are none of their business.
  const shown = isAbsolute(command) ? basename(command) : command
  return existsSync(path)
    ? { reason, message: `${shown} is not executable.`, fix: `Run chmod +x ${shown}.` }
    : {
        reason,
        message: `${shown} does not exist.`,
        fix: 'Correct cli.command in upstream.yaml: a path is relative to that file.',
      }
}

async function isExecutable(command: string, searchPath: string): Promise<boolean> {
  const directories = command.includes('/') ? [''] : searchPath.split(delimiter)
  for (const directory of directories) {
    try {
      await access(join(directory, command), constants.X_OK)
      return true
    } catch {
      // Try the next directory.
    }
  }
  return false
}

async function readVersion(
  command: string,
  { versionArgs, runner, processSettings }: ProgramOptions,
): Promise<string | null> {
  const spec = { ...(await processSettings()), command, args: versionArgs, stdin: null }
  const { stdout } = await runner.run(spec, AbortSignal.timeout(PROBE_TIMEOUT_MS)).result
  return /\d+(?:\.\d+)+/.exec(Buffer.from(stdout).toString())?.[0] ?? null
}

/** Compares versions number by number. Ignores suffixes (`-rc.1`, `+dfsg`). */
function isAtLeast(version: string, minimum: string): boolean {
  const [found, wanted] = [version, minimum].map(text => text.split('.').map(Number))
  for (const [index, part] of (wanted ?? []).entries()) {
    const difference = (found?.[index] ?? 0) - part
    if (difference !== 0) return difference > 0
  }
  return true
}
