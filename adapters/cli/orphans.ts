import { readdirSync, readFileSync } from 'node:fs'
import { signalGroup } from './run-process.ts'

/**
 * Kills what a helper process had started and could not report before it was killed itself: programs
 * with this home whose parent is no child of the gateway. Their home is nobody else's. Linux only;
 * elsewhere nothing tells whose they are.
 */
export function killOrphans(home: string): void {
  for (const pid of processes()) {
    if (belongsTo(pid, home) && parentOf(parentOf(pid)) !== process.pid) signalGroup(pid, 'SIGKILL')
  }
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

function belongsTo(pid: number, home: string): boolean {
  return read(pid, 'environ').split('\0').includes(`HOME=${home}`)
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(read(pid, 'status'))?.[1] ?? 0)
}

/** Empty when it has ended, or belongs to somebody else. */
function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
