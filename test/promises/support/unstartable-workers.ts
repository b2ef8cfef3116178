/**
 * Starts a fleet of one worker, and kills the worker while its process, or the next one, is in trouble. Prints the line that another has taken
 * its place.
 */
import cluster from 'node:cluster'
import type { Logger } from 'pino'
import type { Settings } from '../../../src/gateway/config.ts'
import { Fleet } from '../../../src/gateway/workers/fleet.ts'
import type { Services } from '../../../src/gateway/workers/services.ts'

interface Trouble {
  readonly begin: () => void
  readonly end: () => void
}

/** The first tries fail. */
const MOST_TRIES = 2

if (cluster.isPrimary) await lead(process.argv[2] ?? '')
else serve()

async function lead(name: string): Promise<void> {
  const trouble = troubles()[name]
  if (!trouble) throw new Error(`no such trouble: ${name}`)
  let tries = 0
  const log = (_facts: unknown, text: string) => {
    if (text === 'a worker cannot be started' && ++tries === MOST_TRIES) trouble.end()
    if (text !== 'another worker has taken its place') return
    console.log(text)
    process.exit(0)
  }
  const fleet = new Fleet({
    services: { neighbours: { add: () => () => {} }, serve: () => () => {} } as unknown as Services,
    logger: { info: log, error: log } as unknown as Logger,
    lines: process.stdout,
    of: 1,
    settings: () => ({ worker_silent_ms: 0, drain_ms: 0, shutdown_ms: 0 }) as Settings,
  })
  await fleet.start()
  const [worker] = Object.values(cluster.workers ?? {})
  trouble.begin()
  worker?.process.kill('SIGKILL')
}

function troubles(): Readonly<Record<string, Trouble>> {
  const { execPath } = process
  const fork = cluster.fork.bind(cluster)
  return {
    program: {
      begin: () => void (process.execPath = '/nowhere/node'),
      end: () => void (process.execPath = execPath),
    },
    memory: {
      begin: () => {
        cluster.fork = () => {
          throw new Error('spawn ENOMEM')
        }
      },
      end: () => void (cluster.fork = fork),
    },
    pipe: {
      begin: () => {
        const [worker] = Object.values(cluster.workers ?? {})
        worker?.process.emit('error', new Error('write EPIPE'))
      },
      end: () => {},
    },
  }
}

function serve(): void {
  process.on('message', () => {})
  process.send?.({ kind: 'ask', id: 0, name: 'begin', argument: null })
  process.send?.({ kind: 'tell', name: 'ready', argument: null })
}
