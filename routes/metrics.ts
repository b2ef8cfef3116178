import type { FastifyPluginCallback } from 'fastify'
import type { Metrics } from '../src/observe/metrics.ts'
import { TextBody } from './support/schemas.ts'

const EXPOSE = {
  config: { access: 'metrics' },
  schema: {
    tags: ['health'],
    operationId: 'getMetrics',
    summary: 'Get metrics for Prometheus',
    description:
      'Counters and histograms of calls, attempts, quotas and circuits. Needs an operator key, or the scope metrics.',
    response: { 200: TextBody('Metrics in the text format of Prometheus.') },
  },
} as const

/** Exposes metrics for Prometheus, to operators and to keys with the scope `metrics`. */
export function metricsRoute(
  metrics: Pick<Metrics, 'contentType' | 'expose'>,
): FastifyPluginCallback {
  return (app, _options, done) => {
    app.get('/metrics', EXPOSE, async (_request, reply) => {
      reply.type(metrics.contentType)
      return await metrics.expose()
    })
    done()
  }
}
