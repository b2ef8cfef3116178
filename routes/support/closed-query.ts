import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

const NO_PARAMETERS = Type.Object({}, { additionalProperties: false })

/** Lets endpoints of `/v1` that name no query parameters refuse all: a misspelt one must not be ignored silently. */
export function closeQueries(app: FastifyInstance): void {
  app.addHook('onRoute', route => {
    if (!route.url.startsWith('/v1/')) return
    route.schema = { querystring: NO_PARAMETERS, ...route.schema }
  })
}
