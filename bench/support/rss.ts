import { readdirSync, readFileSync } from 'node:fs'

/** The memory of a process and of its child processes, MB; null on systems that do not report it. */
export function rssOf(pid: number): number | null {
  try {
    const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    return own / 1024 + childrenOf(pid).reduce((sum, child) => sum + (rssOf(child) ?? 0), 0)
  } catch {
    return null
  }
}

function childrenOf(pid: number): readonly number[] {
  const tasks = readdirSync(`/proc/${pid}/task`)
  return tasks.flatMap(task =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  )
}
