import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { Type } from '@sinclair/typebox'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { toAbortSignal } from '../src/lib/signal.ts'
import { FailureEnvelope } from '../src/model/envelope.ts'
import { afterSending, callerSignal } from './support/caller-signal.ts'
import type { McpExtra } from './support/mcp-handler.ts'
import { withoutNullArguments } from './support/mcp-message.ts'
import type { McpParts } from './support/mcp-parts.ts'
import { McpQuery, readTools, refuseFormerName } from './support/mcp-query.ts'

/** A JSON-RPC message; see the specification of the Model Context Protocol. */
const Message = Type.Object({ jsonrpc: Type.Literal('2.0') }, { additionalProperties: true })

const MESSAGES = {
  tags: ['mcp'],
  summary: 'Speak the Model Context Protocol (Streamable HTTP, without sessions)',
  querystring: McpQuery,
  response: {
    200: {
      description: 'The response.',
      content: {
        'application/json': { schema: Message },
        'text/event-stream': { schema: Type.String() },
      },
    },
    202: Type.Null({ description: 'A notification was accepted.' }),
    default: {
      description: 'An error of the protocol, or of the gateway before it could read a message.',
      content: { 'application/json': { schema: Type.Union([Message, FailureEnvelope]) } },
    },
  },
}

/**
 * Model Context Protocol over Streamable HTTP, without sessions. Each answer is the envelope. Errors before a protocol message can be read (an unknown key, malformed JSON) are envelopes too.
 */
export function mcpRoute(parts: McpParts): FastifyPluginCallback {
  let handler: Promise<McpHttpHandler> | null = null
  // Loaded on the first request: not every gateway serves MCP, and the start should not wait for it.
  const load = () =>
    (handler ??= import('./support/mcp-handler.ts').then(({ createHandler }) =>
      createHandler(parts),
    ))
  return (app, _options, done) => {
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      schema: MESSAGES,
      preValidation: (request, _reply, next) => {
        refuseFormerName(request.query as object)
        next()
      },
      async handler(request, reply) {
        const tools = readTools(parts.catalog, (request.query as McpQuery).tools)
        const { fetch } = await load()
        const extra = { request, tools, onSent: afterSending(reply) } satisfies McpExtra
        const authInfo = { token: '', clientId: request.caller.name, scopes: [], extra }
        const parsed =
          request.method === 'POST' ? { parsedBody: withoutNullArguments(request.body) } : {}
        return await reply.send(await fetch(toWebRequest(request, reply), { authInfo, ...parsed }))
      },
    })
    done()
  }
}

/** Without the body, which Fastify has parsed and the handler receives beside it. */
function toWebRequest({ method, url, headers }: FastifyRequest, reply: FastifyReply): Request {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    // The gateway key is no part of the protocol, and its library must not see it.
    value === undefined || name === 'authorization'
      ? []
      : [[name, String(value)] as [string, string]],
  )
  const init = { method, headers: fields, signal: toAbortSignal(callerSignal(reply)) }
  return new Request(new URL(url, 'http://gateway.invalid'), init)
}
