import type { FastifyPluginCallback } from 'fastify'
import type { Metrics } from '../src/observe/metrics.ts'
import { OPEN } from './support/request-context.ts'

/** Exposes metrics for Prometheus. Open, because they show nothing of anybody's calls. */
export function metricsRoute(metrics: Metrics): FastifyPluginCallback {
  return (app, _options, done) => {
    app.get('/metrics', { config: OPEN, schema: { hide: true } }, async (_request, reply) => {
      reply.type(metrics.contentType)
      return await metrics.expose()
    })
    done()
  }
}
