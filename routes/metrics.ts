import type { FastifyPluginCallback } from 'fastify'
import type { Metrics } from '../src/observe/metrics.ts'

/** For Prometheus. Open like the health checks: it tells nothing of anybody's calls. */
export function metricsRoute(metrics: Metrics): FastifyPluginCallback {
  return (app, _options, done) => {
    app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
      reply.type(metrics.contentType)
      return await metrics.expose()
    })
    done()
  }
}
