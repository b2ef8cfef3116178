import { readdirSync, readFileSync } from 'node:fs'

/**
 * CPU time of all threads of a process and of its child processes so far, in microseconds; null on systems that do not report
 * it.
 */
export function cpuTime(pid: number): number | null {
  const tasks = `/proc/${pid}/task`
  try {
    return readdirSync(tasks).reduce((sum, task) => sum + taskTime(`${tasks}/${task}`), 0)
  } catch {
    return null
  }
}

function taskTime(task: string): number {
  const children = readFileSync(`${task}/children`, 'utf8').split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + (cpuTime(Number(child)) ?? 0), threadTime(task))
}

/** CPU time of one thread, in microseconds. The first figure of schedstat is the time on a core, in nanoseconds. */
export function threadTime(task: string): number {
  const [nanoseconds] = readFileSync(`${task}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1000
}
