import { readdirSync, readFileSync } from 'node:fs'
import { signalGroup } from './run-process.ts'

/**
 * Kills programs that a helper process started but was killed before reporting. They have this home,
 * which only this gateway uses, and a parent that is not a child of the gateway. Linux only: other
 * systems do not show a process's environment.
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

/** Empty if the process has ended or belongs to another user. */
function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
