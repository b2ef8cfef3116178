import { cpuTime } from './cpu-time.ts'
import { median } from './spread.ts'

const PARTS = 5

/**
 * The CPU time that a process and its children spend on each of some calls, in microseconds: the median of several parts, so
 * that a pause of the garbage collector does not count. Other work on the machine hardly changes it.
 * @param send makes the call with this number
 * @param atOnce calls that run at once
 */
export async function costOf(
  pid: number,
  calls: number,
  send: (n: number) => Promise<unknown>,
  atOnce = 8,
): Promise<number> {
  const costs: number[] = []
  const size = Math.ceil(calls / PARTS)
  let next = 0
  for (let part = 1; part <= PARTS; part++) {
    const before = cpuTime(pid) ?? Number.NaN
    const client = async () => {
      while (next < part * size) await send(next++)
    }
    await Promise.all(Array.from({ length: atOnce }, client))
    costs.push(((cpuTime(pid) ?? Number.NaN) - before) / size)
  }
  return median(costs)
}

/** Sends a call, and fails unless it succeeds. */
export async function post(
  port: number,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path} answers ${reply.status}: ${text.slice(0, 500)}`)
}

export async function get(port: number, path: string): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`)
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path} answers ${reply.status}: ${text.slice(0, 500)}`)
}
