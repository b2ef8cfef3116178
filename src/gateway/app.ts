import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { attemptRoutes } from '../../routes/attempts.ts'
import { batchRoute } from '../../routes/batch.ts'
import { capabilityRoutes } from '../../routes/capabilities.ts'
import { healthRoutes } from '../../routes/health.ts'
import { hintRoutes } from '../../routes/hints.ts'
import { inspectorRoutes } from '../../routes/inspector.ts'
import { mcpRoute } from '../../routes/mcp.ts'
import { metricsRoute } from '../../routes/metrics.ts'
import { collectSchemas, openapiRoutes } from '../../routes/openapi.ts'
import { profileRoutes } from '../../routes/profiles.ts'
import { requestStream } from '../../routes/request-stream.ts'
import { requestRoutes } from '../../routes/requests.ts'
import { statsRoutes } from '../../routes/stats.ts'
import { failures, frameworkErrors } from '../../routes/support/failures.ts'
import { requestContext } from '../../routes/support/request-context.ts'
import { requestLog } from '../../routes/support/request-log.ts'
import { unusedConnections } from '../../routes/support/unused-connections.ts'
import { upstreamRoutes } from '../../routes/upstreams.ts'
import { createKeyRing } from '../access/key-ring.ts'
import { createRefusalRecorder } from '../call/refusals.ts'
import type { Engine } from '../engine/engine.ts'
import { createIdFactory } from '../lib/request-id.ts'
import { createMetrics } from '../observe/metrics.ts'
import type { Settings } from './config.ts'

export interface AppOptions {
  readonly engine: Engine
  readonly settings: Pick<Settings, 'keys'>
  readonly logger: FastifyBaseLogger
}

/** Larger than any input a card takes, so that the card's own limit is the one that is told. */
const BODY_LIMIT = 8 * 1024 * 1024
/** A caller's own request id, when it can stand in a header, a log line and a URL as it is. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** The gateway over HTTP; it does not listen. */
export async function buildApp({ engine, settings, logger }: AppOptions) {
  const createId = createIdFactory()
  let draining = false
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: shared => shared,
    bodyLimit: BODY_LIMIT,
    frameworkErrors: frameworkErrors(engine),
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : createId()
    },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
  }).withTypeProvider<TypeBoxTypeProvider>()
  // No faster for answers of this kind, and building serializers takes a tenth of the start.
  app.setSerializerCompiler(() => data => JSON.stringify(data))
  app.addHook('preClose', done => {
    draining = true
    done()
  })
  // A connection that is kept alive after its last answer would hold up the close until it times out. (A
  // Set of the answers to come, changed by every request, is costly: see state/in-flight.ts.)
  app.addHook('onSend', (_request, reply, _payload, next) => {
    if (draining) reply.header('connection', 'close')
    next()
  })

  await app.register(unusedConnections)
  await app.register(requestContext, { keys: createKeyRing(settings.keys) })
  await app.register(requestLog)
  await app.register(failures, { knowledge: engine, onRefused: createRefusalRecorder(engine) })

  await collectSchemas(app)
  const { journal } = engine
  const { shared } = engine.state
  await app.register(healthRoutes({ journal, shared, draining: () => draining }))
  await app.register(capabilityRoutes(engine))
  await app.register(batchRoute(engine))
  await app.register(requestRoutes({ journal: engine.journal }))
  await app.register(requestStream(engine))
  await app.register(attemptRoutes({ journal: engine.journal }))
  await app.register(statsRoutes(engine))
  await app.register(upstreamRoutes(engine))
  await app.register(mcpRoute(engine))
  await app.register(hintRoutes(engine.hints))
  await app.register(profileRoutes)
  await app.register(metricsRoute(createMetrics(engine)))
  await openapiRoutes(app, engine.catalog)
  await app.register(inspectorRoutes)
  return app
}
