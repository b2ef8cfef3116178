import type { Dispatcher } from 'undici'
import { Agent, buildConnector, Pool, ProxyAgent } from '../../../src/lib/undici.ts'
import { poolSkippingInterim, skippingInterim } from './interim-answers.ts'

export interface DispatcherSettings {
  readonly connections: number
  readonly connect_timeout_ms: number
  readonly keep_alive_ms?: number
  readonly proxy?: string
}

export interface Dispatchers {
  /** @param once for a change that must not be sent twice */
  own(once: boolean | undefined): Dispatcher
  /** For redirects to other origins. */
  foreign(): Dispatcher
  /** Closes idle sockets now, and from now on each socket soon after its request. Running requests go on. */
  retire(): void
  close(): Promise<void>
  /** The same, but breaks off the running requests. */
  destroy(): Promise<void>
}

/**
 * The longest that a socket may have been idle for a change. If the service closes a socket just when a request arrives,
 * nobody can tell whether it was carried out. Services keep idle sockets for some seconds at least.
 */
const IDLE_BEFORE_CHANGE_MS = 1000

/** Opens no socket before the first request that needs it. Changes have sockets of their own, which are never idle for long. */
export function createDispatchers(
  origin: string,
  settings: DispatcherSettings,
  ca: string | null,
): Dispatchers {
  const { keep_alive_ms: kept = IDLE_BEFORE_CHANGE_MS } = settings
  const brief = { ...settings, keep_alive_ms: Math.min(kept, IDLE_BEFORE_CHANGE_MS) }
  let own = createDispatcher(origin, settings, ca)
  let foreign = createForeignDispatcher(settings, ca)
  let changes: Dispatcher | null = null
  let retired: Promise<unknown> | null = null
  const replaced: Dispatcher[] = []
  return {
    own: once => (once ? (changes ??= createDispatcher(origin, brief, ca)) : own),
    foreign: () => foreign,
    retire() {
      if (retired) return
      // Services may keep idle sockets for minutes, and each reload would leave some of them behind.
      retired = Promise.all([own.close(), foreign.close()])
      replaced.push(own, foreign)
      own = createDispatcher(origin, brief, ca)
      foreign = createForeignDispatcher(brief, ca)
    },
    close: async () => {
      await Promise.all([retired, own.close(), changes?.close(), foreign.close()])
    },
    async destroy() {
      // A change that begins after this finds its sockets destroyed as well.
      changes ??= createDispatcher(origin, brief, ca)
      const all = [own, changes, foreign, ...replaced]
      await Promise.allSettled([retired, ...all.map(dispatcher => dispatcher.destroy())])
    },
  }
}

/** Without the setting, undici follows the header `keep-alive` of the service, and keeps a socket for 4 seconds otherwise. */
function idleFor({ keep_alive_ms }: DispatcherSettings) {
  if (keep_alive_ms === undefined) return {}
  return { keepAliveTimeout: keep_alive_ms, keepAliveMaxTimeout: keep_alive_ms }
}

function createDispatcher(
  origin: string,
  settings: DispatcherSettings,
  ca: string | null,
): Dispatcher {
  const { connections, proxy } = settings
  if (!proxy)
    return new Pool(origin, { connections, ...idleFor(settings), ...direct(settings, ca) })
  return new ProxyAgent({ connections, ...idleFor(settings), ...throughProxy(proxy, settings, ca) })
}

/** For redirects to other origins. Opens no connection before the first such redirect. */
function createForeignDispatcher(settings: DispatcherSettings, ca: string | null): Dispatcher {
  const { proxy } = settings
  if (!proxy) return new Agent({ ...idleFor(settings), ...direct(settings, ca) })
  return new ProxyAgent({ ...idleFor(settings), ...throughProxy(proxy, settings, ca) })
}

/** HTTP/1.1 always shows whether a request was sent; an HTTP/2 GOAWAY leaves that open. */
const ONLY_HTTP_1 = { allowH2: false } as const

function direct({ connect_timeout_ms: timeout }: DispatcherSettings, ca: string | null) {
  const tls = ca === null ? {} : { ca }
  const connect = buildConnector({ ...ONLY_HTTP_1, timeout, ...tls })
  return { ...ONLY_HTTP_1, connect: skippingInterim(connect) }
}

function throughProxy(uri: string, settings: DispatcherSettings, ca: string | null) {
  const requestTls = ca === null ? {} : { ca }
  const connectTimeout = settings.connect_timeout_ms
  return { ...ONLY_HTTP_1, uri, requestTls, connectTimeout, factory: poolSkippingInterim }
}
