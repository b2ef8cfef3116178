import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  LogController,
} from 'fastify'
import { approvalRoutes } from '../../routes/approvals.ts'
import { attemptRoutes } from '../../routes/attempts.ts'
import { auditRoutes } from '../../routes/audit.ts'
import { batchRoute } from '../../routes/batch.ts'
import { capabilityRoutes } from '../../routes/capabilities.ts'
import { cardRoutes } from '../../routes/cards.ts'
import { healthRoutes } from '../../routes/health.ts'
import { hintRoutes } from '../../routes/hints.ts'
import { inspectorRoutes, readableAddress } from '../../routes/inspector.ts'
import { mcpRoute } from '../../routes/mcp.ts'
import { metricsRoute } from '../../routes/metrics.ts'
import { collectSchemas, openapiRoutes } from '../../routes/openapi.ts'
import { profileRoutes } from '../../routes/profiles.ts'
import { protectedResourceRoutes } from '../../routes/protected-resource.ts'
import { requestStream } from '../../routes/request-stream.ts'
import { requestRoutes } from '../../routes/requests.ts'
import { statsRoutes } from '../../routes/stats.ts'
import {
  type Admission,
  type AdmissionLimits,
  admitCalls,
  openAdmission,
} from '../../routes/support/admission.ts'
import { clientErrors, unmetExpectation } from '../../routes/support/client-errors.ts'
import { closeQueries } from '../../routes/support/closed-query.ts'
import { failures, frameworkErrors } from '../../routes/support/failures.ts'
import { jsonBody } from '../../routes/support/json-body.ts'
import { requestContext } from '../../routes/support/request-context.ts'
import { requestLog } from '../../routes/support/request-log.ts'
import { unusedConnections } from '../../routes/support/unused-connections.ts'
import { upstreamRoutes } from '../../routes/upstreams.ts'
import { type ApprovalDesk, createApprovalDesk } from '../access/approvals.ts'
import type { KeyRing } from '../access/key-ring.ts'
import { createOrigins } from '../access/origins.ts'
import { createCalls } from '../call/calls.ts'
import { replay } from '../call/replay/replay.ts'
import type { Engine } from '../engine/engine.ts'
import type { Fixture } from '../journal/fixture.ts'
import { ByteBudget } from '../lib/byte-budget.ts'
import { createIdFactory } from '../lib/request-id.ts'
import { keepUpstreamHistory } from '../observe/upstream-history.ts'
import { admissionLimits } from './admission-limits.ts'
import type { Settings } from './config.ts'
import type { RunningEngine } from './create-engine.ts'
import { Drain } from './drain.ts'
import { lateValidators } from './late-validators.ts'
import { upstreamReset } from './upstream-reset.ts'
import type { WorkerLink } from './workers/link.ts'
import { openView, type View } from './workers/view.ts'

export interface AppOptions {
  readonly engine: RunningEngine
  readonly settings: Pick<
    Settings,
    | 'allowed_origins'
    | 'public_url'
    | 'trace_url'
    | 'body_timeout_ms'
    | 'idle_timeout_ms'
    | 'max_calls'
    | 'max_event_loop_lag_ms'
  >
  readonly ring: KeyRing
  readonly logger: FastifyBaseLogger
  /** @default none: the listener closes at once */
  readonly drain?: Drain
  /** The parts that only one of several workers has. @default null: the gateway is one process */
  readonly link?: WorkerLink | null
}

/** Larger than any card's own limit, so that callers see the card's error and not this one. */
const BODY_LIMIT = 8 * 1024 * 1024
/** Bodies may hold this share of what answers may: they need more room once they are parsed. */
const BODY_SHARE = 1 / 2

const MOST_CHECKING_MS = 5000

/** Builds the gateway's HTTP server; it does not listen. */
export async function buildApp(options: AppOptions) {
  const { engine, settings, ring, logger, drain = new Drain(), link = null } = options
  const app = createServer(engine, logger, settings)
  watchShutdown(app, drain)
  const calls = createCalls(engine)
  const { recordRefusal } = calls

  await app.register(unusedConnections)
  await app.register(jsonBody, {
    budget: new ByteBudget(Math.ceil(engine.answers.limit * BODY_SHARE)),
    limit: BODY_LIMIT,
  })
  const publicUrl = settings.public_url
  await app.register(requestContext, { keys: ring, origins: createOrigins(settings), publicUrl })
  await app.register(requestLog)
  const { onAnswer: onRefused } = engine.audit
  const isTraced = engine.tracing !== null
  await app.register(failures, { knowledge: engine, recordRefusal, isTraced, onRefused })

  const admission = await limitCalls(app, admissionLimits(engine, settings))

  await collectSchemas(app, { publicUrl, hasKeys: ring.isLocked, issuers: ring.issuers })
  const { catalog, hints } = engine
  const view = openView(engine, link)
  const draining = link?.stopping ?? (() => drain.begun)
  await app.register(healthRoutes({ health: view.health, draining }))
  await app.register(capabilityRoutes({ calls, catalog, hints }))
  await app.register(batchRoute({ calls, admission, catalog, hints }))
  await app.register(journalRoutes(engine, ring, settings.trace_url))
  await app.register(decisionRoutes(engine))
  await app.register(operatingRoutes(engine, view))
  const parts = { calls, catalog, hints, desk: deskOf(engine), admission, onRefused }
  await app.register(mcpRoute(parts, view.running))
  await app.register(hintRoutes({ hints, catalog }))
  await app.register(profileRoutes)
  await app.register(metricsRoute(view.metrics))
  app.addHook('onClose', view.end)
  await openapiRoutes(app, { knowledge: engine, hasKeys: ring.isLocked })
  await app.register(inspectorRoutes)
  await app.register(protectedResourceRoutes({ ring, publicUrl }))
  return app
}

async function limitCalls(app: FastifyInstance, limits: AdmissionLimits): Promise<Admission> {
  const { admission, ...watch } = openAdmission(limits)
  app.addHook('onClose', () => watch[Symbol.dispose]())
  await app.register(admitCalls, { admission })
  return admission
}

function journalRoutes(engine: RunningEngine, keys: KeyRing, traceUrl: string): FastifyPluginAsync {
  const { journal, clock, catalog } = engine
  return async app => {
    const again = (fixture: Fixture) => replay(engine, fixture)
    await app.register(requestRoutes({ journal, catalog, traceUrl, replay: again }))
    await app.register(requestStream({ journal, clock, keys }))
    await app.register(attemptRoutes({ journal }))
    await app.register(statsRoutes({ journal, clock, catalog }))
  }
}

/** Endpoints for decisions of people, and for the record of all decisions. */
function decisionRoutes(engine: RunningEngine): FastifyPluginAsync {
  return async app => {
    await app.register(approvalRoutes({ desk: deskOf(engine) }))
    await app.register(auditRoutes({ audit: engine.audit.audit }))
  }
}

/** Endpoints that show and change what the gateway knows now, and keep it for later. */
function operatingRoutes(engine: RunningEngine, view: View): FastifyPluginAsync {
  return async app => {
    const history = keepUpstreamHistory(engine)
    app.addHook('onClose', async () => history[Symbol.dispose]())
    await app.register(
      upstreamRoutes({
        journal: engine.journal,
        clock: engine.clock,
        describeUpstreams: view.describeUpstreams,
        resetUpstream: upstreamReset(engine),
      }),
    )
    await app.register(cardRoutes({ reload: view.reload }))
  }
}

function deskOf({ approvals, clock }: Engine): ApprovalDesk {
  return createApprovalDesk(approvals.store, approvals.lastMs, clock.now, approvals.secrets)
}

function createServer(
  engine: Engine,
  logger: FastifyBaseLogger,
  { body_timeout_ms: bodyTimeoutMs, idle_timeout_ms: keepAliveTimeout }: AppOptions['settings'],
) {
  const createId = createIdFactory()
  const app = Fastify({
    loggerInstance: withoutChildren(logger),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    frameworkErrors: frameworkErrors(engine),
    rewriteUrl: ({ url = '/' }) => readableAddress(url),
    clientErrorHandler: clientErrors(createId),
    // From the first byte of a request to its last: a body that trickles would hold its memory for ever.
    requestTimeout: bodyTimeoutMs,
    keepAliveTimeout,
    http: {
      requireHostHeader: false,
      requestTimeout: bodyTimeoutMs,
      headersTimeout: bodyTimeoutMs,
      connectionsCheckingInterval: Math.min(MOST_CHECKING_MS, bodyTimeoutMs),
    },
    genReqId: createId,
  }).withTypeProvider<TypeBoxTypeProvider>()
  closeQueries(app)
  app.server.on('checkExpectation', unmetExpectation(createId))
  app.setValidatorCompiler(lateValidators())
  // Compiled serializers are no faster for envelopes, and compiling them takes a tenth of the start.
  app.setSerializerCompiler(() => data => JSON.stringify(data))
  return app
}

/** Fastify takes a child for each request, and checks it unless the logger itself made it. No line needs one: see request-log.ts. */
function withoutChildren(logger: FastifyBaseLogger): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.create(logger, { child: { value: () => shared } })
  return shared
}

/** From the beginning of the drain, closes each connection after its answer, so that its client connects elsewhere. */
function watchShutdown(app: Pick<FastifyInstance, 'addHook'>, drain: Drain): void {
  app.addHook('preClose', done => {
    drain.begin()
    done()
  })
  // An idle keep-alive connection would delay the close until it times out. (Tracking open answers in a Set would
  // cost every request; see docs/decisions/young-requests.md.)
  app.addHook('onSend', (_request, reply, _payload, next) => {
    if (drain.begun) reply.header('connection', 'close')
    next()
  })
}
