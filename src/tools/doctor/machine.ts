import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '../../gateway/config.ts'
import { explainListen } from '../../gateway/server.ts'
import { assertClosedToStrangers } from '../../gateway/strangers.ts'
import { inBrackets, listenerOf } from '../../lib/process-of.ts'
import { engines } from '../../lib/version.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const LIVE_TIMEOUT_MS = 2000

export function checkNode(): readonly Finding[] {
  const wanted = engines.node
  const found = process.versions.node
  if (Number.parseInt(found, 10) >= Number.parseInt(wanted.replace(/\D*/, ''), 10)) {
    return [ok('node', `${found} (needs ${wanted})`)]
  }
  return [fail('node', `${found} (needs ${wanted})`, 'Install Node 24 or newer.')]
}

/** Checks whether `serve` could listen on its address, by listening there for a moment. */
export async function checkAddress(settings: Settings): Promise<readonly Finding[]> {
  const { host, port } = settings
  assertClosedToStrangers(settings)
  try {
    await listenOnce(host, port)
  } catch (error) {
    const { message } = explainListen(error as NodeJS.ErrnoException, { host, port })
    if (!(await isGateway(host, port))) return [fail('address', message, null)]
    const fix = 'To run a second one, set another PORT.'
    const who = inBrackets(listenerOf(port))
    return [warn('address', `a gateway${who} already runs on ${host}:${port}`, fix)]
  }
  return [ok('address', `${host}:${port} is free; ${describeCallers(settings)}`)]
}

function describeCallers({ keys, oidc }: Pick<Settings, 'keys' | 'oidc'>): string {
  const needed = [
    ...(keys.length === 0 ? [] : [`a key (${keys.length} set)`]),
    ...(oidc.length === 0 ? [] : ['a token of an identity provider']),
  ]
  if (needed.length === 0) return 'only this machine can call it'
  return `callers need ${needed.join(' or ')}`
}

async function listenOnce(host: string, port: number): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port }, resolve)
  })
  await new Promise(resolve => server.close(resolve))
}

async function isGateway(host: string, port: number): Promise<boolean> {
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  try {
    const signal = AbortSignal.timeout(LIVE_TIMEOUT_MS)
    const answer = await fetch(`http://${name}:${port}/livez`, { signal })
    const body = (await answer.json()) as { data?: { status?: unknown } | null } | null
    return body?.data?.status === 'alive'
  } catch {
    return false
  }
}

/** The gateway creates an empty home directory there for each program it runs. */
export function checkTemporaryDirectory(): readonly Finding[] {
  const directory = tmpdir()
  try {
    rmSync(mkdtempSync(join(directory, 'signalbox-doctor-')), { recursive: true })
    return [ok('temporary files', `${directory} is writable`)]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const message = `${directory} is not writable (${code}), so the gateway cannot run programs`
    return [warn('temporary files', message, 'Set TMPDIR to a writable directory.')]
  }
}

const LOW_BYTES = 512 * 1024 * 1024

/** Reports disk space only if it is low. */
export function checkSpace(
  directory: string,
  { bavail, bsize }: { bavail: number; bsize: number } = statfsSync(directory),
): readonly Finding[] {
  const free = bavail * bsize
  if (free >= LOW_BYTES) return []
  const message = `only ${Math.floor(free / 2 ** 20)} MiB are free at ${directory}`
  const fix = 'Free some space, or limit the journal with SIGNALBOX_JOURNAL_MAX_BYTES.'
  return [warn('disk space', message, fix)]
}
