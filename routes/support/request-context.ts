import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import type { KeyRing } from '../../src/access/key-ring.ts'
import type { Origins } from '../../src/access/origins.ts'
import type { Caller } from '../../src/model/caller.ts'
import { readCorrelationId } from '../../src/model/correlation-id.ts'
import { type ErrorCode, GatewayError } from '../../src/model/errors.ts'
import type { Scope } from '../../src/model/scopes.ts'
import { allowPage, answerPreflight, isPreflight } from './cross-origin.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler of any route that is not open. */
    caller: Caller
    /** Monotonic milliseconds at which the request arrived. */
    startedAt: number
    /** The caller's own id for the request. */
    correlationId: string | undefined
    /** A summary of the envelope that was sent, for the log; null before. */
    answered: { readonly capability: string | null; readonly code: ErrorCode | null } | null
  }
  interface FastifyContextConfig {
    /**
     * `open` routes answer without a gateway key. They show nothing of anybody's calls, and probes and
     * browsers must reach them.
     * A scope demands a key that has it, or one of an operator.
     * @default a key is required, where keys are configured
     */
    readonly access?: 'open' | Scope
  }
}

/** The `config` of a route that answers without a gateway key. */
export const OPEN = { access: 'open' } as const

/** Opens every route that a scope registers from here on, those of its plugins included. */
export function openAllRoutes(scope: FastifyInstance): void {
  scope.addHook('onRoute', route => {
    route.config = { ...route.config, ...OPEN }
  })
}

export interface RequestContextOptions {
  readonly keys: KeyRing
  readonly origins: Origins
}

/** Decides who may call before anything else happens. */
export const requestContext = plugin<RequestContextOptions>(
  (app, { keys, origins }, done) => {
    app.decorateRequest('caller')
    app.decorateRequest('startedAt', 0)
    app.decorateRequest('correlationId')
    app.decorateRequest('answered', null)
    app.addHook('onRequest', (request, reply, next) => {
      beginRequest(request, reply)
      if (lacksHost(request)) return next(missingHost())
      const foreignHost = keys.checkHost(request.headers.host)
      if (foreignHost) return next(foreignHost)
      const page = origins.check(request.headers)
      if (page instanceof GatewayError) return next(page)
      if (page !== null) allowPage(reply, page)
      // A preflight comes without a key, and asks only whether a call may follow.
      if (page !== null && isPreflight(request)) return answerPreflight(request, reply)
      next(identify(keys, request))
    })
    done()
  },
  { name: 'request-context' },
)

/** Notes when a request arrived, and puts its ids on its answer: the gateway's own, and the caller's. */
export function beginRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.startedAt = performance.now()
  reply.header('x-request-id', request.id)
  const { headers } = request
  const id = readCorrelationId(headers['x-correlation-id'], headers['x-request-id'])
  if (id === undefined || isCredential(id, headers)) return
  request.correlationId = id
  reply.header('x-correlation-id', id)
}

/** A token that the caller sends as its id too must not get into the journal. */
function isCredential(id: string, headers: FastifyRequest['headers']): boolean {
  return CREDENTIALS.some(name => String(headers[name] ?? '').endsWith(` ${id}`))
}

const CREDENTIALS = ['authorization', 'x-upstream-authorization']

/** Node's own check is off, because it answers without an envelope. */
function lacksHost({ headers, raw }: FastifyRequest): boolean {
  return headers.host === undefined && raw.httpVersion === '1.1'
}

function missingHost(): GatewayError {
  return new GatewayError('VALIDATION', 'HTTP/1.1 requires the header Host.', { source: 'caller' })
}

/** Sets the caller of a route that is not open. @returns the refusal */
function identify(keys: KeyRing, request: FastifyRequest): GatewayError | undefined {
  const { access } = request.routeOptions.config
  if (access === 'open') return undefined
  const caller = keys.identify(request.headers.authorization)
  if (caller instanceof GatewayError) return caller
  request.caller = caller
  if (access === undefined || caller.operator || caller.scopes?.includes(access)) return undefined
  return new GatewayError(
    'FORBIDDEN',
    `The gateway key "${caller.name}" may not read this: it lacks the scope ${access}, which the operator can give it.`,
    { source: 'caller' },
  )
}
