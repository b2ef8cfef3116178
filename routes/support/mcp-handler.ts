import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import type { Engine } from '../../src/engine/engine.ts'
import { chooseLanguage } from '../../src/hints/registry.ts'
import { createServer, type McpClient } from './mcp-server.ts'
import { readPresentation } from './presentation.ts'
import { readUpstreamToken } from './upstream-token.ts'

/** A handler makes a server for each request: there are no sessions, so any gateway can answer any of them. */
export function createHandler(engine: Engine): McpHttpHandler {
  return createMcpHandler(
    ({ authInfo }) => createServer(engine, clientOf(authInfo?.extra?.request as FastifyRequest)),
    { onerror: () => {} },
  )
}

interface Query {
  readonly capabilities?: string | string[]
  readonly fields?: unknown
}

/** What the address and the headers say. */
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
