import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { Engine } from '../src/engine/engine.ts'
import { toAbortSignal } from '../src/lib/signal.ts'
import { callerSignal } from './support/caller-signal.ts'

/**
 * Model Context Protocol by Streamable HTTP, without sessions: every capability is a tool, and its answer is
 * the envelope. What is wrong before a message of the protocol can be read (the key, JSON) is an envelope too.
 */
export function mcpRoute(engine: Engine): FastifyPluginCallback {
  let handler: Promise<McpHttpHandler> | null = null
  // Loaded when somebody asks: not every gateway serves it, and the start does not wait for it.
  const load = () =>
    (handler ??= import('./support/mcp-handler.ts').then(({ createHandler }) =>
      createHandler(engine),
    ))
  return (app, _options, done) => {
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      schema: { hide: true },
      async handler(request, reply) {
        const { fetch } = await load()
        const extra = { request }
        const authInfo = { token: '', clientId: request.caller.name, scopes: [], extra }
        const parsed = request.method === 'POST' ? { parsedBody: request.body } : {}
        return await reply.send(await fetch(toWebRequest(request, reply), { authInfo, ...parsed }))
      },
    })
    done()
  }
}

/** The body is handed over apart, as Fastify has read it. */
function toWebRequest({ method, url, headers }: FastifyRequest, reply: FastifyReply): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    // No part of the protocol, and no business of its library.
    value === undefined || name === 'authorization'
      ? []
      : [[name, String(value)] as [string, string]],
  )
  const init = { method, headers: given, signal: toAbortSignal(callerSignal(reply)) }
  return new Request(new URL(url, 'http://gateway.invalid'), init)
}
