import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { LogRow } from './log.ts'
import type { App } from './store/apps.ts'
import type { Store } from './store/store.ts'
import type { Principal, Quota } from './store/tokens.ts'
import type { World } from './world.ts'

/** One request and its answer: the state that the hooks share. */
export interface Exchange {
  /** The store when the request arrived. A reset during the request does not mix two stores. */
  readonly store: Store
  readonly row: LogRow
  /** Set once the token is accepted. */
  principal: Principal | undefined
  /** Set instead of the principal where an app asks as itself. */
  app: App | undefined
  /** The quota that this request uses. Set together with the principal. */
  quota: Quota | undefined
}

export function exchangeOf(request: FastifyRequest): Exchange {
  return request.getDecorator<Exchange>('exchange')
}

/** Logs the request on arrival, so that requests that hang or are cut off appear in the log too. */
export function openExchange(world: World, request: FastifyRequest): Exchange {
  const [path = '/', query = ''] = request.url.split('?', 2)
  const { traceparent } = request.headers
  const row = world.log.open({
    time: new Date().toISOString(),
    route: path === '/graphql' ? 'graphql' : 'rest',
    // A unix socket has no address.
    via: request.socket.remoteAddress === undefined ? 'socket' : 'tcp',
    method: request.method,
    path,
    query,
    operation: null,
    status: null,
    applied: false,
    request_id: requestId(),
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
  })
  return {
    store: world.store,
    row,
    principal: undefined,
    app: undefined,
    quota: undefined,
  }
}

/** Runs an endpoint and logs whether it changed the store. Endpoints are synchronous. */
export function runEndpoint<T>({ store, row }: Exchange, endpoint: () => T): T {
  const before = store.writes
  try {
    return endpoint()
  } finally {
    row.applied = store.writes > before
  }
}

/** In GitHub's format, e.g. `9A3E:1B2C:4D5E6F:70819A:65F1C2D3`. */
function requestId(): string {
  const hex = randomBytes(14).toString('hex').toUpperCase()
  return [
    hex.slice(0, 4),
    hex.slice(4, 8),
    hex.slice(8, 14),
    hex.slice(14, 20),
    hex.slice(20),
  ].join(':')
}
