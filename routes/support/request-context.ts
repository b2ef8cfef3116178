import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import { AccessError } from '../../src/access/access-error.ts'
import type { KeyRing } from '../../src/access/key-ring.ts'
import type { Origins } from '../../src/access/origins.ts'
import { refuseMonitor } from '../../src/access/permission.ts'
import { baseOf, challengeOf } from '../../src/access/protected-resource.ts'
import { type Caller, describeCaller } from '../../src/model/caller.ts'
import { readCorrelationId } from '../../src/model/correlation-id.ts'
import { type ErrorCode, GatewayError } from '../../src/model/errors.ts'
import type { Scope } from '../../src/model/scopes.ts'
import { traceIdOf } from '../../src/model/trace-context.ts'
import { allowPage, answerPreflight, isPreflight } from './cross-origin.ts'
import { isLostVisit } from './lost-page.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler of any route that is not open. */
    caller: Caller
    /** The caller at an open route, which shows more to callers with a key; null for a stranger. */
    visitor: Caller | null
    /** Monotonic milliseconds at which the request arrived. */
    startedAt: number
    /** The caller's own id for the request. */
    correlationId: string | undefined
    /** The trace that the caller names, or that of the call; null for neither. */
    traceId: string | null
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
  /** The address that callers know. @default that of each request */
  readonly publicUrl?: string
}

/** Decides who may call before anything else happens. */
export const requestContext = plugin<RequestContextOptions>(
  (app, { keys, origins, publicUrl = '' }, done) => {
    app.decorateRequest('caller')
    app.decorateRequest('visitor', null)
    app.decorateRequest('startedAt', 0)
    app.decorateRequest('correlationId')
    app.decorateRequest('traceId', null)
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
      const admit = (found: Caller | GatewayError) => {
        const refusal = admitted(request, found)
        if (refusal) challenge(refusal, request, reply, { keys, publicUrl })
        next(refusal)
      }
      const found = identify(keys, request)
      if (!(found instanceof Promise)) return admit(found)
      found.then(admit, next)
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
  const { traceparent } = headers
  request.traceId = typeof traceparent === 'string' ? traceIdOf(traceparent) : null
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

function identify(
  keys: KeyRing,
  { headers, raw }: FastifyRequest,
): ReturnType<KeyRing['identify']> {
  // Node keeps the first of them, and a proxy before it may have judged another.
  if (headers.authorization !== undefined && countAuthorizations(raw.rawHeaders) > 1) {
    return new AccessError(
      'invalid_request',
      'The request has several Authorization headers. Send one.',
    )
  }
  return keys.identify(headers.authorization)
}

function countAuthorizations(rawHeaders: readonly string[]): number {
  return rawHeaders.filter(
    (name, at) => at % 2 === 0 && name.length === 13 && name.toLowerCase() === 'authorization',
  ).length
}

/** Sets the caller of the request. @returns the refusal */
function admitted(request: FastifyRequest, found: Caller | GatewayError): GatewayError | undefined {
  const { access } = request.routeOptions.config
  if (access === 'open') {
    request.visitor = found instanceof GatewayError ? null : found
    return undefined
  }
  // The page names only the path, which the browser knows.
  if (request.is404 && isLostVisit(request)) return undefined
  if (found instanceof GatewayError) return found
  request.caller = found
  if (access === undefined) return refuseMonitor(found)
  if (found.operator || found.scopes?.includes(access)) return undefined
  return new GatewayError(
    'FORBIDDEN',
    `The ${describeCaller(found)} may not read this: it lacks the scope ${access}, which the operator can give it.`,
    { source: 'caller' },
  )
}

function challenge(
  refusal: GatewayError,
  { headers, url }: FastifyRequest,
  reply: FastifyReply,
  { keys, publicUrl }: { readonly keys: KeyRing; readonly publicUrl: string },
): void {
  const [path = ''] = url.split('?')
  const header = challengeOf(refusal, keys.issuers, baseOf(headers, publicUrl), path)
  if (header !== null) reply.header('www-authenticate', header)
}
