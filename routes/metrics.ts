import type { FastifyPluginCallback } from 'fastify'
import type { Metrics } from '../src/observe/metrics.ts'
import { OPEN } from './support/request-context.ts'
import { TextBody } from './support/schemas.ts'

const EXPOSE = {
  config: OPEN,
  schema: {
    tags: ['health'],
    summary: 'Get metrics for Prometheus',
    response: { 200: TextBody('Metrics in the text format of Prometheus.') },
  },
}

/** Exposes metrics for Prometheus. Open, because they show nothing of anybody's calls. */
export function metricsRoute(metrics: Metrics): FastifyPluginCallback {
  return (app, _options, done) => {
    app.get('/metrics', EXPOSE, async (_request, reply) => {
      reply.type(metrics.contentType)
      return await metrics.expose()
    })
    done()
  }
}
