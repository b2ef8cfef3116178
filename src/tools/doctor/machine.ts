import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertClosedToStrangers, type Settings } from '../../gateway/config.ts'
import { explainListen } from '../../gateway/server.ts'
import { engines } from '../../lib/version.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const LIVE_TIMEOUT_MS = 2000

export function checkNode(): readonly Finding[] {
  const wanted = engines.node
  const found = process.versions.node
  if (Number.parseInt(found, 10) >= Number.parseInt(wanted.replace(/\D*/, ''), 10)) {
    return [ok('node', `${found}, and ${wanted} is needed`)]
  }
  return [fail('node', `${found}, and ${wanted} is needed`, 'Install Node 24 or newer.')]
}

/** Whether `serve` could listen there: by doing so, for a moment. */
export async function checkAddress(settings: Settings): Promise<readonly Finding[]> {
  const { host, port, keys } = settings
  assertClosedToStrangers(settings)
  try {
    await listenOnce(host, port)
  } catch (error) {
    const { message } = explainListen(error as NodeJS.ErrnoException, { host, port })
    if (!(await isGateway(host, port))) return [fail('address', message, null)]
    const fix = 'To run another beside it, set another PORT.'
    return [warn('address', `${host}:${port} is where a gateway runs already`, fix)]
  }
  const callers = keys.length === 0 ? 'for this machine only' : `for ${keys.length} keys`
  return [ok('address', `${host}:${port} is free, ${callers}`)]
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

/** Programs get an empty home there. */
export function checkTemporaryDirectory(): readonly Finding[] {
  const directory = tmpdir()
  try {
    rmSync(mkdtempSync(join(directory, 'signalbox-doctor-')), { recursive: true })
    return [ok('temporary files', `${directory} can be written`)]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const message = `${directory} cannot be written (${code}), so no program can be run`
    return [warn('temporary files', message, 'Set TMPDIR to a directory that can be written.')]
  }
}

const LITTLE_BYTES = 512 * 1024 * 1024

/** Nothing, unless it is low. */
export function checkSpace(
  directory: string,
  { bavail, bsize }: { bavail: number; bsize: number } = statfsSync(directory),
): readonly Finding[] {
  const free = bavail * bsize
  if (free >= LITTLE_BYTES) return []
  const message = `${Math.floor(free / 2 ** 20)} MiB are free at ${directory}`
  const fix = 'Make room, or bound the journal with SIGNALBOX_JOURNAL_MAX_BYTES.'
  return [warn('disk space', message, fix)]
}
