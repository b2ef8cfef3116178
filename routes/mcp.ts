import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { Type } from '@sinclair/typebox'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { isObject } from '../src/lib/is-object.ts'
import { createIdFactory } from '../src/lib/request-id.ts'
import { toAbortSignal } from '../src/lib/signal.ts'
import { afterSending, callerSignal } from './support/caller-signal.ts'
import { RunningCalls, SESSION } from './support/mcp-cancel.ts'
import type { McpExtra } from './support/mcp-handler.ts'
import { BOTH_TYPES, formOf, inForm } from './support/mcp-media.ts'
import { withoutNullArguments } from './support/mcp-message.ts'
import type { McpParts } from './support/mcp-parts.ts'
import { McpQuery, readTools, refuseFormerName } from './support/mcp-query.ts'
import { readPresentation } from './support/presentation.ts'

/** A JSON-RPC message; see the specification of the Model Context Protocol. */
const Message = Type.Object({ jsonrpc: Type.Literal('2.0') }, { additionalProperties: true })

const MESSAGES = {
  tags: ['mcp'],
  summary: 'Speak the Model Context Protocol (Streamable HTTP, without sessions)',
  description: 'Every capability is a tool. Clients of the protocol need only this address.',
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
    204: Type.Null({ description: 'The client has cancelled the request.' }),
    default: {
      description: 'An error of the protocol, or of the gateway before it could read a message.',
      content: { 'application/json': { schema: Message } },
    },
  },
}

/**
 * Model Context Protocol over Streamable HTTP, without sessions. Each answer is the envelope. Errors before a protocol message can be read (an unknown key, malformed JSON) are envelopes too.
 */
export function mcpRoute(parts: McpParts, running = new RunningCalls()): FastifyPluginCallback {
  const createId = createIdFactory()
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
        // In every answer it would be a fault that no model can mend.
        readPresentation(request)
        next()
      },
      async handler(request, reply) {
        const tools = readTools(parts.catalog, (request.query as McpQuery).tools)
        const { fetch } = await load()
        const onSent = afterSending(reply)
        const extra = { request, tools, onSent } satisfies McpExtra
        const authInfo = { token: '', clientId: request.caller.name, scopes: [], extra }
        const parsed =
          request.method === 'POST' ? { parsedBody: withoutNullArguments(request.body) } : {}
        const form = formOf(request.headers.accept)
        const signals = [toAbortSignal(callerSignal(reply)), running.take(request, onSent)]
        const signal = AbortSignal.any(signals.filter(one => one !== null))
        const web = toWebRequest(request, form === null ? null : BOTH_TYPES, signal)
        const response = await fetch(web, { authInfo, ...parsed })
        if (isHello(request.body)) reply.header(SESSION, createId())
        return await reply.send(await inForm(response, form ?? 'any'))
      },
    })
    done()
  }
}

/** Clients of the versions of 2025 begin with it, and name themselves from then on as the answer says. */
function isHello(body: unknown): boolean {
  return isObject(body) && body.method === 'initialize'
}

/**
 * Without the body, which Fastify has parsed and the handler receives beside it.
 * @param accept for the library, which insists on both types; null: as the client sent it
 */
function toWebRequest(
  { method, url, headers }: FastifyRequest,
  accept: string | null,
  signal: AbortSignal,
): Request {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    // The gateway key is no part of the protocol, and its library must not see it.
    value === undefined || name === 'authorization' || name === SESSION
      ? []
      : [[name, String(value)] as [string, string]],
  )
  const request = new Request(new URL(url, 'http://gateway.invalid'), {
    method,
    headers: fields,
    signal,
  })
  if (accept !== null) request.headers.set('accept', accept)
  return request
}
