import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { ROUTES } from '../../src/model/route.ts'
import { type GatewayPlace, openGateway, type RunSettings } from './gateway.ts'
import { type Stall, StallWatch } from './stalls.ts'

/** A sandbox with a gateway in front of it. It performs one run at a time. */
export interface Place extends AsyncDisposable {
  readonly sandbox: Sandbox
  /** The sandbox's clock. */
  readonly clock: { skewMs: number }
  readonly gateway: PlacedGateway
}

export interface PlacedGateway extends AsyncDisposable {
  /** Changes after a kill. */
  readonly url: string
  /** Clears the gateway's state and applies the settings of the run. */
  begin(settings: RunSettings): Promise<void>
  /** Ends the gateway with SIGKILL and starts another on the same journal. */
  kill(): Promise<void>
  /** The times in which the gateway could not run, since the last call. */
  stalls(): Promise<readonly Stall[]>
}

export interface PlaceOptions {
  /** Runs the gateway in its own process, so that it can be killed. */
  readonly killable: boolean
  /** Enables the route through `gh`, which takes 80 ms a call. */
  readonly cli: boolean
  readonly attemptMs: number
}

export async function openPlace({ killable, cli, attemptMs }: PlaceOptions): Promise<Place> {
  // If the gateway cannot start, close everything that would keep this process alive.
  await using open = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'chaos-'))
  open.defer(() => rm(directory, { recursive: true, force: true }))
  const socketPath = join(directory, 'gh.sock')
  await writeFile(join(directory, 'config.yml'), `http_unix_socket: ${socketPath}\n`)
  const clock = { skewMs: 0 }
  const sandbox = await createSandbox({ socketPath, now: () => Date.now() + clock.skewMs })
  open.defer(() => sandbox.close())
  const searchPath = cli ? (process.env.PATH ?? '') : ''
  const options = { upstream: sandbox.url, directory, searchPath, attemptMs }
  const gateway = open.use(await (killable ? gatewayInChild(options) : gatewayInProcess(options)))
  await warmUp(gateway.url)
  const opened = open.move()
  return { sandbox, clock, gateway, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** The first call of a process is slow, and would distort the run. */
async function warmUp(url: string): Promise<void> {
  for (const route of ROUTES) {
    const body = JSON.stringify({ owner: 'octo-org', name: 'hello-world' })
    await fetch(`${url}/v1/capabilities/pr.list?route=${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
  }
}

async function gatewayInProcess(options: GatewayPlace): Promise<PlacedGateway> {
  const gateway = await openGateway(options)
  const watch = new StallWatch()
  return {
    url: gateway.url,
    begin: async settings => gateway.begin(settings),
    kill: () => Promise.reject(new Error('this gateway shares our process')),
    stalls: async () => watch.take(),
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]()
      await gateway[Symbol.asyncDispose]()
    },
  }
}

const PROCESS = fileURLToPath(new URL('gateway-process.ts', import.meta.url))

async function gatewayInChild(options: GatewayPlace): Promise<PlacedGateway> {
  let current = await start(options)
  const end = async () => {
    current.child.kill('SIGKILL')
    await once(current.child, 'close')
  }
  return {
    get url() {
      return current.url
    },
    begin: async settings => {
      await ask(current.child, { begin: settings })
    },
    async kill() {
      await end()
      current = await start(options)
    },
    stalls: async () => (await ask(current.child, 'stalls')) as readonly Stall[],
    [Symbol.asyncDispose]: end,
  }
}

async function start(options: GatewayPlace) {
  const child = spawn(process.execPath, [PROCESS, JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Cache compiled code, because the gateway starts many times.
    env: { NODE_COMPILE_CACHE: join(options.directory, 'compiled'), ...process.env },
  })
  return { child, url: (await messageOf(child)) as string }
}

async function ask(child: ChildProcess, question: object | string): Promise<unknown> {
  child.send(question)
  return await messageOf(child)
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const end = () => ended.abort(new Error('the gateway exited unexpectedly'))
  child.once('exit', end)
  try {
    const [message] = (await once(child, 'message', { signal: ended.signal })) as [unknown]
    return message
  } finally {
    child.off('exit', end)
  }
}
