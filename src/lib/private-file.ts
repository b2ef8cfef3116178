import { closeSync, fchmodSync, openSync } from 'node:fs'

/** Nobody but the owner may read or write it. */
export const PRIVATE = 0o600

/** Creates an empty file that only its owner may read, whatever the umask. Leaves an existing file as it is. */
export function createPrivateFile(file: string): void {
  try {
    const fd = openSync(file, 'wx', PRIVATE)
    fchmodSync(fd, PRIVATE)
    closeSync(fd)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
