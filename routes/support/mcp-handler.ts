import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { chooseLanguage } from '../../src/hints/registry.ts'
import type { ToolSelection } from '../../src/model/tool-selection.ts'
import { BRIEF } from '../../src/render/render.ts'
import type { McpClient, McpParts } from './mcp-parts.ts'
import type { McpQuery } from './mcp-query.ts'
import { createServer } from './mcp-server.ts'
import { connect } from './mcp-tools.ts'
import { readPresentation } from './presentation.ts'
import { readUpstreamToken } from './upstream-token.ts'

/** The handler creates a server for each request: without sessions, any gateway can answer any request. */
export function createHandler(parts: McpParts): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => createServer(parts, clientOf(authInfo?.extra as unknown as McpExtra)),
    { onerror: () => {} },
  )
}

/** The request that carries the message. */
export interface McpExtra {
  readonly request: FastifyRequest
  /** Null when the address makes no choice. */
  readonly tools: ToolSelection | null
  /** Takes what to call when the answer has been sent. */
  readonly onSent: (release: () => void) => void
}

/** Reads the client from the query and the headers. */
function clientOf({ request, tools, onSent }: McpExtra): McpClient {
  const { caller, headers, correlationId } = request
  const { traceparent } = headers
  const { fields, outputSchema } = request.query as McpQuery
  return {
    ...connect(caller, tools),
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
    onSent: (_message, release) => onSent(release),
    structured: outputSchema === 'true',
    language: chooseLanguage(headers['accept-language']),
    defaults: () => ({
      presentation: readPresentation(request, BRIEF.profile),
      fields: fields ?? null,
      upstreamToken: readUpstreamToken(headers['x-upstream-authorization']),
      cacheControl: headers['cache-control'],
    }),
  }
}
