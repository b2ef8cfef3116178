import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FaultSwitch } from './faults.ts'
import type { RequestLog } from './log.ts'
import { type Seed, seedDefault } from './seed.ts'
import { buildServer, listenOnSocket } from './server.ts'
import type { Store } from './store/store.ts'
import { createWorld, type World } from './world.ts'

export type { Fault, FaultAction, FaultMatch, FaultSwitch } from './faults.ts'
/** Builds the GraphQL schema, which takes a quarter of a second, before the first query needs it. */
export { loadSchema as warmUp } from './graphql/schema.ts'
export type { LogRow, RequestLog } from './log.ts'
export { LEAKED_SECRET } from './seed/security.ts'
export { SANDBOX_TOKEN, type Seed, seedDefault } from './seed.ts'
export type * from './store/actions/entities.ts'
export type { App, AppPermissions, Installation } from './store/apps.ts'
export type * from './store/deployment-entities.ts'
export type * from './store/discussion-entities.ts'
export type * from './store/entities.ts'
export type { NewCommit } from './store/git/writes.ts'
export type * from './store/project-entities.ts'
export type { ReleaseAsset } from './store/release-entities.ts'
export type * from './store/review-entities.ts'
export type * from './store/ruleset-entities.ts'
export type * from './store/security-entities.ts'
export { Store } from './store/store.ts'
export type { QuotaName } from './store/tokens.ts'
export type { SeenAnswer } from './world.ts'

export interface SandboxOptions {
  /** Fills the empty store, at start and on each reset. @default seedDefault */
  seed?: Seed
  /** @default '127.0.0.1' */
  host?: string
  /** @default 0, which picks a free port */
  port?: number
  /** Also listen on this unix socket. `gh` connects to it with its setting `http_unix_socket`. */
  socketPath?: string
  /** The clock, in epoch milliseconds. @default Date.now */
  now?: () => number
  /** Called with every answer. Tests use it to check answers against GitHub's published schemas. */
  onAnswer?: World['onAnswer']
  /** The life of the tokens that it issues to the installations of apps, in milliseconds. @default an hour */
  installationTokenMs?: number
}

/** A running sandbox. One process can run several, each with its own store. */
export interface Sandbox {
  /** Base URL of the REST API; GraphQL is at `/graphql`, control at `/_sandbox`. */
  readonly url: string
  readonly socketPath: string | null
  /** The current store. A reset replaces it. */
  readonly store: Store
  readonly faults: FaultSwitch
  readonly log: RequestLog
  /** Restores the seed, removes all faults and empties the log. */
  readonly reset: () => void
  readonly close: () => Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { seed = seedDefault, host = '127.0.0.1', port = 0, socketPath = null } = options
  const world = createWorld(
    seed,
    options.now ?? Date.now,
    options.onAnswer,
    options.installationTokenMs,
  )
  const app = buildServer(world)
  let socketServer: Server | undefined
  const close = async () => {
    socketServer?.close()
    socketServer?.closeAllConnections()
    await app.close()
  }
  try {
    await app.listen({ host, port })
    if (socketPath !== null) socketServer = await listenOnSocket(app, socketPath)
  } catch (error) {
    await close()
    throw error
  }
  return {
    url: baseUrl(host, app.server.address() as AddressInfo),
    socketPath,
    get store() {
      return world.store
    },
    faults: world.faults,
    log: world.log,
    reset: world.reset,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function baseUrl(host: string, address: AddressInfo): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}
