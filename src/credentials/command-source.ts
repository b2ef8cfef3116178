import { spawn } from 'node:child_process'
import { messageOf } from '../lib/message-of.ts'
import { CredentialError } from '../model/credential.ts'
import { type Issued, RenewingSource } from './renewing-source.ts'
import type { CommandDeclaration } from './schema.ts'
import type { Source, SourceOptions } from './source.ts'

const DEFAULT_TIMEOUT_MS = 10_000
/** A secret whose end is not known is asked for again after this time. */
const USUAL_LIFE_MS = 300_000
const MOST_BYTES = 65_536

/** The secret that a program prints: alone, or in JSON as `{"value": …, "expires_at": …}`. */
export function commandSource(
  { run: command, env = {}, timeout_ms = DEFAULT_TIMEOUT_MS }: CommandDeclaration,
  { env: own, directory, now, remember }: SourceOptions,
): Source {
  const settings = { env: { PATH: own.PATH ?? '', ...env }, directory }
  return new RenewingSource({
    issue: async signal =>
      readOutput(await run(command, settings, signal), command[0] ?? '', now()),
    timeoutMs: timeout_ms,
    found: `${command[0]} prints a secret`,
    now,
    remember,
  })
}

interface RunSettings {
  readonly env: Readonly<Record<string, string>>
  readonly directory: string
}

/** Runs a program without a shell. Its stderr is shown nowhere, because it may hold secrets. */
async function run(
  [program = '', ...args]: readonly string[],
  { env, directory }: RunSettings,
  signal: AbortSignal,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const fail = (said: string, code: 'AUTH' | 'TIMEOUT' = 'AUTH') =>
    reject(new CredentialError(code, `${program}, which prints the credential, ${said}.`))
  // A group of its own, so that its children end with it.
  const child = spawn(program, args, {
    env,
    cwd: directory,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const end = () => {
    fail('did not end in time', 'TIMEOUT')
    killGroup(child.pid)
  }
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  const output: Buffer[] = []
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= MOST_BYTES) output.push(chunk)
    else killGroup(child.pid)
  })
  child.on('error', error => fail(`cannot be started (${codeOf(error)})`))
  child.on('close', (code, killed) => {
    if (size > MOST_BYTES) fail('prints too much')
    else if (code === 0) resolve(Buffer.concat(output).toString('utf8').trim())
    else fail(killed === null ? `ended with exit code ${code}` : `was ended by ${killed}`)
  })
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', end)
  }
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : messageOf(error)
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

function readOutput(text: string, program: string, now: number): Issued {
  const fault = (said: string) =>
    new CredentialError('AUTH', `${program}, which prints the credential, ${said}.`)
  if (text === '') throw fault('prints nothing')
  if (!text.startsWith('{')) return { value: text, expiresAt: now + USUAL_LIFE_MS }
  const { value, expires_at: end } = parse(text)
  if (typeof value !== 'string' || value === '') throw fault('prints JSON without a text "value"')
  if (end === undefined || end === null) return { value, expiresAt: now + USUAL_LIFE_MS }
  const expiresAt = typeof end === 'string' ? Date.parse(end) : Number.NaN
  if (Number.isNaN(expiresAt)) throw fault('prints an "expires_at" that is not a time of RFC 3339')
  if (expiresAt <= now) throw fault('prints a secret that has expired')
  return { value, expiresAt }
}

function parse(text: string): { readonly value?: unknown; readonly expires_at?: unknown } {
  try {
    return JSON.parse(text) as object
  } catch {
    return {}
  }
}
