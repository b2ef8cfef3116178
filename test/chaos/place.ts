import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import { ROUTES } from '../../src/model/outcome.ts'
import { type GatewayPlace, openGateway, type Wishes } from './gateway.ts'
import { type Stall, StallWatch } from './stalls.ts'

/** Where runs happen, one at a time: a sandbox of its own and a gateway in front of it. */
export interface Place extends AsyncDisposable {
  readonly sandbox: Sandbox
  /** Of the sandbox. */
  readonly clock: { skewMs: number }
  readonly gateway: PlacedGateway
}

export interface PlacedGateway extends AsyncDisposable {
  /** Another one after a kill. */
  readonly url: string
  /** Wipes its memory, and makes it as the run wants it. */
  begin(wishes: Wishes): Promise<void>
  /** Ends it with SIGKILL and starts another on the same journal. */
  kill(): Promise<void>
  /** When it could not run, since this was asked last. */
  stalls(): Promise<readonly Stall[]>
}

export interface PlaceOptions {
  /** Runs the gateway in a process of its own: only that can be killed. */
  readonly killable: boolean
  /** Whether the route by `gh` is there, which takes 80 ms a call. */
  readonly cli: boolean
  readonly attemptMs: number
}

export async function openPlace({ killable, cli, attemptMs }: PlaceOptions): Promise<Place> {
  // A gateway that cannot start leaves nothing open that would keep this process alive.
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
  const gateway = open.use(await (killable ? placeInChild(options) : placeHere(options)))
  await warmUp(gateway.url)
  const opened = open.move()
  return { sandbox, clock, gateway, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** The first call of a process is slow, and not what this is about. */
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

async function placeHere(options: GatewayPlace): Promise<PlacedGateway> {
  const gateway = await openGateway(options)
  const watch = new StallWatch()
  return {
    url: gateway.url,
    begin: async wishes => gateway.begin(wishes),
    kill: () => Promise.reject(new Error('this gateway shares our process')),
    stalls: async () => watch.take(),
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]()
      await gateway[Symbol.asyncDispose]()
    },
  }
}

const PROCESS = fileURLToPath(new URL('gateway-process.ts', import.meta.url))

async function placeInChild(options: GatewayPlace): Promise<PlacedGateway> {
  let current = await start(options)
  const end = async () => {
    current.child.kill('SIGKILL')
    await once(current.child, 'close')
  }
  return {
    get url() {
      return current.url
    },
    begin: async wishes => {
      await ask(current.child, { begin: wishes })
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
    // It is started over and over.
    env: { ...process.env, NODE_COMPILE_CACHE: join(options.directory, 'compiled') },
  })
  return { child, url: (await messageOf(child)) as string }
}

async function ask(child: ChildProcess, question: object | string): Promise<unknown> {
  child.send(question)
  return await messageOf(child)
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const end = () => ended.abort(new Error('the gateway has ended by itself'))
  child.once('exit', end)
  try {
    const [message] = (await once(child, 'message', { signal: ended.signal })) as [unknown]
    return message
  } finally {
    child.off('exit', end)
  }
}
