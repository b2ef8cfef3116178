/** Starts other people's gateways before the same upstream, each with the job that is closest to ours. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../test/support/free-port.ts'
import { WORDS } from './answers.ts'
import type { Processes } from './processes.ts'
import { repositoryJson } from './repository.ts'
import type { Variant } from './rounds.ts'
import { waitFor } from './wait-for.ts'

const FOLDER = fileURLToPath(new URL('../peers', import.meta.url))
const MODULES = join(FOLDER, 'node_modules')

/** Installs the peers with npm, unless they are. No script of theirs runs. */
export async function installPeers(): Promise<void> {
  if (await isInstalled()) return
  console.log('installing the peers in bench/peers (625 MB), which takes minutes')
  const args = ['ci', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund']
  const [code] = await once(spawn('npm', args, { stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed`)
}

/** npm writes this file last. */
async function isInstalled(): Promise<boolean> {
  const made = join(MODULES, '.package-lock.json')
  if (!existsSync(made)) return false
  const [installed, locked] = await Promise.all(
    [made, join(FOLDER, 'package-lock.json')].map(it => stat(it)),
  )
  return (installed?.mtimeMs ?? 0) >= (locked?.mtimeMs ?? 0)
}

export interface Peers {
  readonly express: Variant
  readonly portkey: Variant
  readonly portkeyFallback: Variant
  readonly hive: Variant
}

/** @param directory for their settings */
export async function startPeers(
  processes: Processes,
  directory: string,
  upstream: string,
  proxied: Pick<Variant, 'call' | 'expected'>,
): Promise<Peers> {
  const express = {
    name: 'express-gateway',
    ...proxied,
    ...(await startExpress(processes, directory, upstream)),
  }
  const portkey = await startPortkey(processes)
  const single = completionCall({ custom_host: `${upstream}/v1` })
  const fallback = completionCall({
    strategy: { mode: 'fallback' },
    targets: [`${upstream}/down`, `${upstream}/v1`].map(host => ({
      ...PROVIDER,
      custom_host: host,
    })),
  })
  const expected = WORDS
  const second = await startPortkey(processes)
  return {
    express,
    portkey: { name: 'Portkey, one target', ...portkey, call: single, expected },
    portkeyFallback: { name: 'Portkey, first target 503', ...second, call: fallback, expected },
    hive: {
      name: 'Hive gateway, REST source',
      ...(await startHive(processes, directory, upstream)),
      call: HIVE_CALL,
      expected: 'octo-org/hello-world',
    },
  }
}

const PROVIDER = { provider: 'openai', api_key: 'not-a-real-key' }

/** Portkey takes its settings from a header of each request. */
function completionCall(config: object) {
  const content = 'Describe {owner}/{name}.'
  return {
    path: '/v1/chat/completions',
    headers: { 'x-portkey-config': JSON.stringify({ ...PROVIDER, ...config }) },
    body: JSON.stringify({ model: 'small', messages: [{ role: 'user', content }] }),
  }
}

async function startPortkey(processes: Processes) {
  const port = await freePort()
  const entry = join(MODULES, '@portkey-ai/gateway/build/start-server.js')
  const child = processes.start([process.execPath, entry, `--port=${port}`, '--headless'], {
    half: 'servers',
    stdio: 'ignore',
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  })
  await listens(port)
  return { port, pid: child.pid ?? null }
}

async function startExpress(processes: Processes, directory: string, upstream: string) {
  const port = await freePort()
  const settings = join(directory, 'express-gateway')
  await mkdir(settings)
  const shipped = join(MODULES, 'express-gateway/lib')
  await cp(join(shipped, 'config/models'), join(settings, 'models'), { recursive: true })
  await writeFile(join(settings, 'gateway.config.yml'), expressConfig(port, upstream))
  await writeFile(join(settings, 'system.config.yml'), EXPRESS_SYSTEM)
  const child = processes.start([process.execPath, join(shipped, 'index.js')], {
    half: 'servers',
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      EG_CONFIG_DIR: settings,
      LOG_LEVEL: 'error',
    },
  })
  await listens(port)
  return { port, pid: child.pid ?? null }
}

function expressConfig(port: number, upstream: string): string {
  return `http: { port: ${port}, hostname: 127.0.0.1 }
apiEndpoints: { all: { host: '*', paths: ['/*'] } }
serviceEndpoints: { upstream: { url: '${upstream}' } }
policies: [proxy]
pipelines:
  all:
    apiEndpoints: [all]
    policies: [{ proxy: [{ action: { serviceEndpoint: upstream, changeOrigin: true } }] }]
`
}

const EXPRESS_SYSTEM = `db: { redis: { emulate: true, namespace: EG } }
crypto: { cipherKey: none, algorithm: aes256, saltRounds: 10 }
session: { secret: none, resave: false, saveUninitialized: false }
accessTokens: { timeToExpiry: 7200000 }
refreshTokens: { timeToExpiry: 7200000 }
authorizationCodes: { timeToExpiry: 300000 }
`

/** The members that \`repo.view\` takes from the same answer. */
const HIVE_FIELDS = `node_id name full_name description homepage visibility private archived fork topics language
  license { key } stargazers_count forks_count open_issues_count html_url default_branch created_at pushed_at`

const HIVE_CALL = {
  path: '/graphql',
  body: JSON.stringify({
    query: `query Repository($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { ${HIVE_FIELDS} } }`,
    variables: { owner: '{owner}', name: '{name}' },
  }),
}

async function startHive(processes: Processes, directory: string, upstream: string) {
  const folder = join(directory, 'hive')
  await mkdir(folder)
  const sample = join(folder, 'sample.json')
  const supergraph = join(folder, 'supergraph.graphql')
  await writeFile(sample, repositoryJson())
  const compose = join(MODULES, '@graphql-mesh/compose-cli/esm/bin.js')
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', UPSTREAM: upstream, SAMPLE: sample }
  const composing = processes.start(
    [process.execPath, compose, '-c', join(FOLDER, 'mesh.config.js'), '-o', supergraph],
    { half: 'servers', stdio: 'ignore', env },
  )
  await once(composing, 'exit')
  const port = await freePort()
  const entry = join(MODULES, '@graphql-hive/gateway/dist/bin.js')
  const address = ['--host', '127.0.0.1', '--port', String(port), '--fork', '1']
  const child = processes.start([process.execPath, entry, 'supergraph', supergraph, ...address], {
    half: 'servers',
    stdio: 'ignore',
    env,
    // It ends by a signal to its process group, which would be that of the bench.
    detached: true,
  })
  await listens(port)
  return { port, pid: child.pid ?? null }
}

async function listens(port: number): Promise<void> {
  await waitFor(async () => {
    const socket = connect(port, '127.0.0.1')
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return connected || null
  })
}
