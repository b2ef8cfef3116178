/** Starts the gateway, and the servers to compare it with. */
import { mkdir, mkdtemp, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import type { Alteration } from './altered-gateway.ts'
import { type UpstreamAnswer, upstreamAnswers } from './answers.ts'
import { findOnPath, type Processes } from './processes.ts'
import { waitFor } from './wait-for.ts'

export interface Server {
  readonly port: number
  readonly pid: number | null
}

/** Starts an upstream that sends static answers: nginx if it is installed, else a Node process. */
export async function startUpstream(processes: Processes, directory: string, nginx: boolean) {
  const command = nginx ? findOnPath('nginx') : null
  const port = command === null ? null : await startNginx(processes, directory, command)
  if (port !== null) return { name: 'nginx', port }
  const module = new URL('node-upstream.ts', import.meta.url)
  const { first } = await processes.fork(module, [], 'load')
  return { name: 'node:http', port: Number(first) }
}

export async function startHttpProxy(processes: Processes, upstream: number): Promise<Server> {
  return await startProxy(processes, upstream, 'http-proxy.ts')
}

/** `node:http` and undici's `request`. */
export async function startBareProxy(processes: Processes, upstream: number): Promise<Server> {
  return await startProxy(processes, upstream, 'bare-proxy.ts')
}

async function startProxy(processes: Processes, upstream: number, file: string): Promise<Server> {
  const module = new URL(file, import.meta.url)
  const { child, first } = await processes.fork(module, [`http://127.0.0.1:${upstream}`], 'servers')
  return { port: Number(first), pid: child.pid ?? null }
}

/** The checkout to which this bench belongs. */
const THIS_CHECKOUT = new URL('../../', import.meta.url).pathname

/** The folder of the card `bench.repository`, which is the same for every checkout. */
const OWN_CARDS = new URL('../cards', import.meta.url).pathname

/** Settings for a bench on a busy machine, where the event loop of the gateway waits for its turn: nothing is refused. */
export const PATIENT = {
  SIGNALBOX_MAX_EVENT_LOOP_LAG_MS: '60000',
  SIGNALBOX_TIMEOUT_MS: '300000',
  SIGNALBOX_ATTEMPT_TIMEOUT_MS: '300000',
}

export interface GatewayOptions {
  readonly checkout?: string
  /** The directory for a CPU profile, which the gateway writes when it exits. */
  readonly profile?: string | null
  /** @default 1 */
  readonly workers?: number
  /** Whether the REST API answers every request with 503, and only GraphQL serves. @default false */
  readonly restDown?: boolean
  /** @default null: the gateway as it is */
  readonly altered?: Alteration | null
  /** The folder of the cards. @default the one of the card `bench.repository` */
  readonly cards?: string
  /** More settings. */
  readonly env?: Readonly<Record<string, string>>
  /** How long the start may take. */
  readonly startMs?: number
}

/**
 * Starts the gateway as in production: `signalbox serve`, with a journal file and a log file of its own.
 * @param scratch the directory for these files.
 */
export async function startGateway(
  processes: Processes,
  scratch: string,
  upstream: number,
  options: GatewayOptions = {},
): Promise<Server> {
  const { profile = null, workers = 1 } = options
  const directory = await mkdtemp(join(scratch, 'gateway-'))
  const flags = profile === null ? [] : ['--cpu-prof', '--cpu-prof-dir', profile]
  const logFile = join(directory, 'gateway.log')
  const log = await open(logFile, 'w')
  const child = processes.start([process.execPath, ...flags, ...entryOf(options)], {
    half: 'servers',
    stdio: ['ignore', log.fd, log.fd],
    env: environmentOf(directory, upstream, options),
  })
  await log.close()
  const port = await waitFor(async () => {
    const text = await readFile(logFile, 'utf8')
    const listening = [...text.matchAll(/listening on http:\/\/[^"]*:(\d+)/g)]
    const port = listening.at(workers - 1)?.[1]
    if (port === undefined && child.exitCode !== null)
      throw new Error(`the gateway ended early:\n${text}`)
    return port === undefined ? null : Number(port)
  }, options.startMs)
  return { port, pid: child.pid ?? null }
}

function entryOf({ checkout = THIS_CHECKOUT, altered = null }: GatewayOptions): readonly string[] {
  if (altered !== null) return [new URL('altered-gateway.ts', import.meta.url).pathname, altered]
  return [join(checkout, 'src/signalbox.ts'), 'serve', '--port', '0']
}

function environmentOf(
  directory: string,
  upstream: number,
  { workers = 1, restDown = false, cards = OWN_CARDS, env = {} }: GatewayOptions,
): NodeJS.ProcessEnv {
  const url = `http://127.0.0.1:${upstream}`
  return {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    GITHUB_API_URL: restDown ? `${url}/down` : url,
    GITHUB_GRAPHQL_URL: `${url}/graphql`,
    GITHUB_TOKEN: 'not-a-real-token',
    SIGNALBOX_CAPABILITIES: cards,
    SIGNALBOX_JOURNAL: join(directory, 'journal.sqlite'),
    ...(workers > 1 && { SIGNALBOX_WORKERS: String(workers) }),
    ...env,
  }
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
        ${upstreamAnswers().map(nginxLocation).join('\n')}
      }
    }`
}

function nginxLocation({ path, status, headers, body }: UpstreamAnswer): string {
  const { 'content-type': type, ...others } = headers
  const added = Object.entries(others).map(([name, value]) => `add_header ${name} '${value}';`)
  return `
        location ${path} {
          default_type '${type}';
          ${added.join('\n')}
          return ${status} '${body}';
        }`
}
