import { readdirSync, readFileSync } from 'node:fs'

/** Microseconds that all threads of a process have run so far; null where the system does not tell. */
export function cpuTime(pid: number): number | null {
  const tasks = `/proc/${pid}/task`
  try {
    return readdirSync(tasks).reduce((sum, task) => sum + threadTime(`${tasks}/${task}`), 0)
  } catch {
    return null
  }
}

/** The first figure is nanoseconds on a core. */
function threadTime(task: string): number {
  const [nanoseconds] = readFileSync(`${task}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1000
}
