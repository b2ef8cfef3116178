import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export const SIGNALBOX = fileURLToPath(new URL('../../../bin/signalbox.js', import.meta.url))

export type Variables = Readonly<Record<string, string>>

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the real command to its end, with these variables only. */
export async function signalbox(args: readonly string[], env: Variables = {}): Promise<Ended> {
  const child = launch(args, env)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

export interface Running extends AsyncDisposable {
  readonly url: string
  /** File of the journal: its own, unless the variables name one. */
  readonly journal: string
  /** The whole log so far. */
  log(): string
  signal(name: NodeJS.Signals): void
  /** Waits for the end of the process and returns the exit code. */
  ended(): Promise<number | null>
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>
}

/** Starts `serve` with its own journal, on a free port unless one is given. */
export async function serve(env: Variables = {}, port = 0): Promise<Running> {
  const directory = await temporaryDirectory()
  const journal = join(directory.path, 'journal.sqlite')
  const child = launch(['serve', '--port', String(port)], { SIGNALBOX_JOURNAL: journal, ...env })
  const ended = once(child, 'close')
  let log = ''
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const url = await listening(child)
  const exitCode = async () => {
    const [code] = await ended
    return code as number | null
  }
  const stop = async () => {
    child.kill('SIGTERM')
    return await exitCode()
  }
  return {
    url,
    journal: env.SIGNALBOX_JOURNAL ?? journal,
    log: () => log,
    signal: name => void child.kill(name),
    ended: exitCode,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await directory[Symbol.asyncDispose]()
    },
  }
}

export async function temporaryDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'sb-command-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Starts the real command. */
export function launch(args: readonly string[], env: Variables) {
  return spawn(process.execPath, [SIGNALBOX, ...args], {
    env: { PATH: process.env.PATH, ...env },
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Waits for the address in the log. Keeps reading after that, so that the pipe never fills. */
function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let log = ''
    const onData = (chunk: Buffer) => {
      log += chunk.toString()
      const [, url] = /listening on (http:\/\/[^\s"]+)/.exec(log) ?? []
      if (url) resolve(url)
    }
    child.stdout?.on('data', onData)
    child.stderr?.on('data', onData)
    child.on('close', () => reject(new Error(`serve did not listen:\n${log}`)))
  })
}
