import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { GatewayProcess } from './process.ts'

/** A directory in which a gateway may run out of room. */
export interface SmallDisk {
  readonly directory: string
  /** Lets no file of the gateway grow any more. */
  fill(gateway: GatewayProcess): void
  free(gateway: GatewayProcess): void
}

export interface DiskKind {
  readonly name: string
  readonly available: boolean
  /** Removed when the test ends. */
  readonly open: () => SmallDisk
}

export const DISKS: readonly DiskKind[] = [
  { name: 'a full file system', available: succeeds(() => mount()()), open: openTmpfs },
  {
    name: 'a limit on the size of files',
    available: succeeds(() => limit(process.pid, 'unlimited')),
    open: openLimited,
  },
]

for (const { name, available } of DISKS) {
  if (!available) console.warn(`skipped: tests with ${name}, which this user cannot set up`)
}

function openTmpfs(): SmallDisk {
  const directory = temporary()
  onTestFinished(mount(directory))
  const filler = join(directory, 'filler')
  return {
    directory,
    fill: () => fillWith(filler),
    free: () => rmSync(filler),
  }
}

function openLimited(): SmallDisk {
  const directory = temporary()
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return {
    directory,
    fill: ({ child }) => limit(child.pid ?? 0, '1000'),
    free: ({ child }) => {
      if (child.exitCode === null) limit(child.pid ?? 0, 'unlimited')
    },
  }
}

function temporary(): string {
  return mkdtempSync(join(tmpdir(), 'signalbox-disk-'))
}

/** Returns the function that removes it. */
function mount(directory = temporary()): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', directory], { stdio: 'pipe' })
  return () => {
    execFileSync('umount', ['--lazy', directory])
    rmSync(directory, { recursive: true, force: true })
  }
}

function fillWith(file: string): void {
  const fd = openSync(file, 'w')
  try {
    while (writeSync(fd, Buffer.alloc(4096)) > 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(fd)
  }
}

/** Sets the soft limit only: raising it again needs no permission. */
function limit(pid: number, bytes: string): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`], { stdio: 'pipe' })
}

function succeeds(action: () => void): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}
