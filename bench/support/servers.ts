/** Starts the gateway, and the servers to compare it with. */
import { mkdir, mkdtemp, open, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findOnPath, type Processes } from './processes.ts'
import { githubHeaders, repositoryJson } from './repository.ts'

const START_MS = 20_000

export interface Server {
  readonly port: number
  readonly pid: number | null
}

/** Starts an upstream that sends one static answer: nginx if it is installed, else a Node process. */
export async function startUpstream(processes: Processes, directory: string, nginx: boolean) {
  const command = nginx ? findOnPath('nginx') : null
  const port = command === null ? null : await startNginx(processes, directory, command)
  if (port !== null) return { name: 'nginx', port }
  const module = new URL('node-upstream.ts', import.meta.url)
  const { first } = await processes.fork(module, [], 'load')
  return { name: 'node:http', port: Number(first) }
}

export async function startHttpProxy(processes: Processes, upstream: number): Promise<Server> {
  const module = new URL('http-proxy.ts', import.meta.url)
  const { child, first } = await processes.fork(module, [`http://127.0.0.1:${upstream}`], 'servers')
  return { port: Number(first), pid: child.pid ?? null }
}

/** The checkout to which this bench belongs. */
const THIS_CHECKOUT = new URL('../../', import.meta.url).pathname

/** The folder of the card `bench.repository`, which is the same for every checkout. */
const OWN_CARDS = new URL('../cards', import.meta.url).pathname

export interface GatewayOptions {
  readonly checkout?: string
  /** The directory for a CPU profile, which the gateway writes when it exits. */
  readonly profile?: string | null
  /** @default 1 */
  readonly workers?: number
}

/**
 * Starts the gateway as in production: `signalbox serve`, with a journal file and a log file of its own.
 * @param scratch the directory for these files.
 */
export async function startGateway(
  processes: Processes,
  scratch: string,
  upstream: number,
  { checkout = THIS_CHECKOUT, profile = null, workers = 1 }: GatewayOptions = {},
): Promise<Server> {
  const directory = await mkdtemp(join(scratch, 'gateway-'))
  const entry = join(checkout, 'src/signalbox.ts')
  const flags = profile === null ? [] : ['--cpu-prof', '--cpu-prof-dir', profile]
  const logFile = join(directory, 'gateway.log')
  const log = await open(logFile, 'w')
  const child = processes.start([process.execPath, ...flags, entry, 'serve', '--port', '0'], {
    half: 'servers',
    stdio: ['ignore', log.fd, log.fd],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      GITHUB_API_URL: `http://127.0.0.1:${upstream}`,
      GITHUB_TOKEN: 'not-a-real-token',
      SIGNALBOX_CAPABILITIES: OWN_CARDS,
      SIGNALBOX_JOURNAL: join(directory, 'journal.sqlite'),
      ...(workers > 1 && { SIGNALBOX_WORKERS: String(workers) }),
    },
  })
  await log.close()
  const port = await waitFor(async () => {
    const text = await readFile(logFile, 'utf8')
    const listening = [...text.matchAll(/listening on http:\/\/[^"]*:(\d+)/g)]
    const port = listening.at(workers - 1)?.[1]
    if (port === undefined && child.exitCode !== null)
      throw new Error(`the gateway ended early:\n${text}`)
    return port === undefined ? null : Number(port)
  })
  return { port, pid: child.pid ?? null }
}

async function startNginx(processes: Processes, directory: string, command: string) {
  const prefix = join(directory, 'nginx')
  await mkdir(prefix)
  const port = await freePort()
  await writeFile(join(prefix, 'nginx.conf'), nginxConfig(prefix, port))
  const child = processes.start([command, '-p', prefix, '-e', 'error.log', '-c', 'nginx.conf'], {
    half: 'load',
    stdio: 'ignore',
  })
  return await waitFor(async () => {
    if (child.exitCode !== null || child.pid === undefined) return 'absent'
    const answers = await fetch(`http://127.0.0.1:${port}/`).then(
      answer => answer.ok,
      () => false,
    )
    return answers ? port : null
  }).then(found => (found === 'absent' ? null : found))
}

function nginxConfig(prefix: string, port: number): string {
  const { 'content-type': type, ...headers } = githubHeaders()
  const added = Object.entries(headers).map(([name, value]) => `add_header ${name} '${value}';`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
    daemon off;
    worker_processes 1;
    pid ${prefix}/pid;
    error_log ${prefix}/error.log;
    events { worker_connections 2048; }
    http {
      access_log off;
      keepalive_timeout 120s;
      keepalive_requests 1000000000;
      ${temporary.map(name => `${name}_temp_path ${prefix}/${name};`).join('\n')}
      server {
        listen 127.0.0.1:${port};
        location / {
          default_type '${type}';
          ${added.join('\n')}
          return 200 '${repositoryJson()}';
        }
      }
    }`
}

/** Polls until the result is not null. */
async function waitFor<T>(poll: () => Promise<T | null>): Promise<T> {
  const until = performance.now() + START_MS
  while (performance.now() < until) {
    const answer = await poll()
    if (answer !== null) return answer
    await delay(50)
  }
  throw new Error(`a server was not ready within ${START_MS} ms`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const { port } = server.address() as AddressInfo
  await new Promise(done => server.close(done))
  return port
}
