import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { chooseLanguage } from '../../src/hints/registry.ts'
import { createServer, type McpClient, type McpParts } from './mcp-server.ts'
import { readPresentation } from './presentation.ts'
import { readUpstreamToken } from './upstream-token.ts'

/** The handler creates a server for each request: without sessions, any gateway can answer any request. */
export function createHandler(parts: McpParts): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => createServer(parts, clientOf(authInfo?.extra?.request as FastifyRequest)),
    { onerror: () => {} },
  )
}

interface Query {
  readonly capabilities?: string | string[]
  readonly fields?: unknown
}

/** Reads the client from the query and the headers. */
function clientOf(request: FastifyRequest): McpClient {
  const { caller, headers } = request
  const { capabilities, fields } = request.query as Query
  return {
    caller,
    wanted: capabilities === undefined ? null : [capabilities].flat(),
    language: chooseLanguage(headers['accept-language']),
    defaults: () => ({
      presentation: readPresentation(request),
      fields: typeof fields === 'string' ? fields : null,
      upstreamToken: readUpstreamToken(headers['x-upstream-authorization']),
    }),
  }
}
