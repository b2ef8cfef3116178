import { readdir, readFile } from 'node:fs/promises'

/** The things that a gateway holds, as Linux and its own metrics tell. */
export interface Holdings {
  readonly rssMb: number
  /** Open files and sockets. */
  readonly fds: number
  /** Processes below it. */
  readonly children: number
  readonly timers: number
}

/** @param headers a key that may read `/metrics`, if the gateway has keys */
export async function holdingsOf(
  pid: number,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Holdings> {
  const [status, fds, children, metrics] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readdir(`/proc/${pid}/fd`),
    readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'),
    fetch(`${url}/metrics`, { headers }).then(response => response.text()),
  ])
  return {
    rssMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    fds: fds.length,
    children: children.trim().split(' ').filter(Boolean).length,
    timers: Number(/^nodejs_active_resources\{type="Timeout"\} (\d+)/m.exec(metrics)?.[1] ?? 0),
  }
}
