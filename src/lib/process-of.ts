import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'

/** The process that has locked a file; null if the system does not say, as outside Linux. */
export function lockerOf(file: string): number | null {
  return unlessUnknown(() => {
    const { ino } = statSync(file)
    const lines = readFileSync('/proc/locks', 'utf8').split('\n')
    const words = lines.map(line => line.trim().split(/\s+/))
    // 1: POSIX ADVISORY WRITE 4711 fe:00:INODE 0 EOF. `stat` writes the device in another form.
    const found = words.find(([, kind, , , , where]) => kind === 'POSIX' && inodeOf(where) === ino)
    return pidOf(found?.[4])
  })
}

function inodeOf(where = ''): number {
  return Number(where.split(':').at(-1))
}

/** A process that listens at a port, among those whose files this user may see; null if there is none, or outside Linux. */
export function listenerOf(port: number): number | null {
  return unlessUnknown(() => {
    const sockets = new Set(['tcp', 'tcp6'].flatMap(table => listeningAt(table, port)))
    return (
      readdirSync('/proc')
        .map(pidOf)
        .find(pid => pid !== null && holdsOne(pid, sockets)) ?? null
    )
  })
}

const LISTENS = '0A'

/** The sockets as links to open files name them. */
function listeningAt(table: string, port: number): readonly string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  const rows = readFileSync(`/proc/net/${table}`, 'utf8').split('\n')
  return rows
    .map(row => row.trim().split(/\s+/))
    .filter(([, local, , state]) => state === LISTENS && local?.endsWith(`:${wanted}`))
    .map(columns => `socket:[${columns[9]}]`)
}

function holdsOne(pid: number, sockets: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).some(fd => sockets.has(linkOf(`${folder}/${fd}`)))
  } catch {
    // The process of another user, or one that has ended.
    return false
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return ''
  }
}

/** A process in another container has the number 0, or none. */
function pidOf(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d*$/.test(text) ? Number(text) : null
}

function unlessUnknown<T>(find: () => T | null): T | null {
  try {
    return find()
  } catch {
    return null
  }
}

/** Names the process for a message, as in " (process 4711)". Empty if it is not known, or this one. */
export function inBrackets(pid: number | null): string {
  return pid === null || pid === process.pid ? '' : ` (process ${pid})`
}
