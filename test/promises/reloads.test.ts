import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { type Holdings, holdingsOf } from '../../bench/support/holdings.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { githubEnv } from '../support/github.ts'
import { gh } from '../support/parts.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/process.ts'
import { until } from '../support/until.ts'

const SECRET = 'agent-secret-0123456789'
const OPERATOR = 'operator-secret-0123456789'
const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }
const ROUTES = gh.available ? ['rest', 'graphql', 'cli'] : ['rest', 'graphql']
const RELOADS = 10

/** Callers' own connections close soon, so that they do not count. Sockets to the sandbox stay open for a minute. */
const IDLE_MS = 3000
const READ_EVERY_MS = 500
const EQUAL_READINGS = 10
const RESTED_MS = 40_000
/** Sockets that are open for a moment. A leak of each reload would hold ten times three and more. */
const SPARE_FDS = 8
const PROGRAMS = gh.available ? 1 : 0

type Held = Omit<Holdings, 'rssMb' | 'ownMb'>

/** Starts `serve` with keys in a settings file, and a sandbox as GitHub. */
async function startServe() {
  const directory = await mkdtemp(join(tmpdir(), 'sb-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const socketPath = join(directory, 'gh.sock')
  const sandbox = await createSandbox({ port: 0, socketPath })
  onTestFinished(() => sandbox.close())
  await writeFile(join(directory, 'config.yml'), `http_unix_socket: ${socketPath}\n`)
  const settings = join(directory, 'signalbox.yaml')
  await writeFile(settings, settingsWith(0))
  const gateway = await startGatewayProcess({
    ...githubEnv(sandbox.url),
    GH_CONFIG_DIR: directory,
    SIGNALBOX_JOURNAL: join(directory, 'journal.sqlite'),
    SIGNALBOX_CONFIG: settings,
  })
  onTestFinished(async () => void (await gateway.end('SIGTERM')))
  return { gateway, settings }
}

/** Each reload finds another key beside those of the test. */
function settingsWith(round: number): string {
  const keys = [
    { name: 'agent', secret: SECRET },
    { name: 'op', secret: OPERATOR, operator: true },
    { name: `other-${round}`, secret: `other-secret-0123456789-${round}` },
  ]
  return JSON.stringify({ idle_timeout_ms: IDLE_MS, keys })
}

async function callEachRoute({ url }: GatewayProcess): Promise<readonly boolean[]> {
  const calls = ROUTES.map(async route => {
    const response = await fetch(`${url}/v1/capabilities/repo.view?route=${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${SECRET}` },
      body: JSON.stringify(REPOSITORY),
    })
    return ((await response.json()) as { readonly ok: boolean }).ok
  })
  return await Promise.all(calls)
}

/** Reloads keys and cards while calls are on their way, and calls each route with the new ones. */
async function reload(
  { gateway, settings }: Awaited<ReturnType<typeof startServe>>,
  round: number,
) {
  const before = reloadsIn(gateway)
  await writeFile(settings, settingsWith(round))
  const running = callEachRoute(gateway)
  gateway.child.kill('SIGHUP')
  await until(
    () => reloadsIn(gateway),
    ({ cards, keys }) => cards > before.cards && keys > before.keys,
  )
  const succeeded = [...(await running), ...(await callEachRoute(gateway))]
  expect(succeeded).toEqual(succeeded.map(() => true))
}

function reloadsIn(gateway: GatewayProcess) {
  const count = (text: string) => gateway.output().split(text).length - 1
  return { cards: count('cards reloaded'), keys: count('gateway keys reloaded') }
}

async function held({ child, url }: GatewayProcess): Promise<Held> {
  const headers = { authorization: `Bearer ${OPERATOR}` }
  const { fds, children, timers } = await holdingsOf(child.pid as number, url, headers)
  return { fds, children, timers }
}

/** Reads until some readings in a row are equal. Gives the last one. */
async function rested(gateway: GatewayProcess): Promise<Held> {
  const end = performance.now() + RESTED_MS
  let last = await held(gateway)
  for (let equal = 1; equal < EQUAL_READINGS && performance.now() < end; ) {
    await delay(READ_EVERY_MS)
    const now = await held(gateway)
    equal = isDeepStrictEqual(now, last) ? equal + 1 : 0
    last = now
  }
  return last
}

test(
  'ten reloads of keys and cards leave behind no more than one',
  async () => {
    const served = await startServe()
    const { gateway } = served
    await reload(served, 1)
    await until(
      () => held(gateway),
      ({ children }) => children === PROGRAMS,
    )
    const first = await rested(gateway)
    for (let round = 2; round <= RELOADS; round++) await reload(served, round)
    const last = await until(
      () => held(gateway),
      ({ fds, children, timers }) =>
        fds <= first.fds + SPARE_FDS && children <= first.children && timers <= first.timers + 1,
      RESTED_MS,
    )
    expect(last.children).toBeLessThanOrEqual(first.children)
  },
  5 * RESTED_MS,
)
