import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { raceSignal } from '../lib/race-signal.ts'
import type { Signal } from '../lib/signal.ts'
import { CredentialError } from '../model/credential.ts'
import type { Source, SourceOptions } from './source.ts'

/** A longer file is no secret. */
const MOST_BYTES = 65_536

interface Reading {
  readonly version: string
  readonly value: string
}

/**
 * The text of a file without white space around it, read again when the file has changed. Asks at each use instead
 * of watching: that also sees a file that is replaced by a link, as Kubernetes does it, and leaves nothing to close.
 * @param variable the one that names the file, for messages
 */
export function fileSource(
  file: string,
  { directory, remember }: SourceOptions,
  variable: string | null = null,
): Source {
  const path = resolve(directory, file)
  const named = variable === null ? file : `${variable} names ${file}, which`
  let last: Reading | null = null
  const read = async (isForced: boolean): Promise<string> => {
    const { mtimeNs, ctimeNs, size, ino } = await stat(path, { bigint: true })
    const version = [mtimeNs, ctimeNs, size, ino].join()
    if (!isForced && last?.version === version) return last.value
    if (size > MOST_BYTES) throw new CredentialError('AUTH', `${named} is too large for a secret.`)
    const value = (await readFile(path, 'utf8')).trim()
    if (value === '') throw new CredentialError('AUTH', `${named} is empty.`)
    remember(value)
    last = { version, value }
    return value
  }
  const get = (isForced: boolean, signal: Signal) =>
    raceSignal(
      read(isForced).catch(error => {
        throw unreadable(error, named)
      }),
      signal,
    )
  return {
    lacking: null,
    isFile: true,
    found: `${file} has a secret`,
    get: signal => get(false, signal),
    async renew(refused, signal) {
      const value = await get(true, signal)
      return value === refused ? null : value
    },
    close: () => {},
  }
}

function unreadable(error: unknown, named: string): unknown {
  if (error instanceof CredentialError || !(error instanceof Error) || !('code' in error)) {
    return error
  }
  return new CredentialError('AUTH', `${named} cannot be read (${String(error.code)}).`)
}
