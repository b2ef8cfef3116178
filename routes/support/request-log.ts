import plugin from 'fastify-plugin'

/**
 * Logs one structured line per request; Fastify's own two lines cost a seventh of the throughput. The line carries
 * the request id, so that no request needs a child logger (see app.ts).
 */
export const requestLog = plugin(
  (app, _options, done) => {
    // pino omits undefined members.
    app.addHook('onResponse', (request, reply, next) => {
      request.log.info(
        {
          request_id: request.id,
          trace_id: request.traceId ?? undefined,
          correlation_id: request.correlationId,
          method: request.method,
          path: pathOf(request.url),
          status: reply.statusCode,
          caller: request.caller?.name,
          capability: request.answered?.capability ?? undefined,
          code: request.answered?.code ?? undefined,
          route: reply.getHeader('signalbox-route'),
          duration_ms: Math.round(reply.elapsedTime * 10) / 10,
        },
        'request',
      )
      next()
    })
    done()
  },
  { name: 'request-log' },
)

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}
