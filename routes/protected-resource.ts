import { Type } from '@sinclair/typebox'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { KeyRing } from '../src/access/key-ring.ts'
import { baseOf, describeResource, METADATA_PATH } from '../src/access/protected-resource.ts'
import { GatewayError } from '../src/model/errors.ts'
import { OPEN } from './support/request-context.ts'

const Metadata = Type.Object(
  {
    resource: Type.String({ description: 'The address for which a token has to be issued.' }),
    authorization_servers: Type.Array(Type.String(), { description: 'They issue tokens.' }),
    scopes_supported: Type.Optional(
      Type.Array(Type.String(), { description: 'The scopes that a token needs.' }),
    ),
    bearer_methods_supported: Type.Array(Type.String()),
    resource_name: Type.String(),
  },
  { description: 'The metadata of RFC 9728.' },
)

const describedAt = (operationId: string, what: string) => ({
  operationId,
  tags: ['documentation'],
  summary: `Find the authorization server of ${what}`,
  description:
    'OAuth clients, such as those of MCP, read here where to get a token. NOT_FOUND if the gateway has no identity provider.',
  response: { 200: Metadata },
})

export interface ProtectedResourceOptions {
  readonly ring: Pick<KeyRing, 'issuers'>
  /** Empty for the address of each request. */
  readonly publicUrl: string
}

/** Describes the gateway to OAuth clients, as the specification of MCP asks. */
export function protectedResourceRoutes({
  ring,
  publicUrl,
}: ProtectedResourceOptions): FastifyPluginCallback {
  const describeAt =
    (path: string) =>
    ({ headers }: FastifyRequest) => {
      if (ring.issuers.length === 0) throw noIssuer()
      return describeResource(ring.issuers, baseOf(headers, publicUrl), path)
    }
  return (app, _options, done) => {
    const ofGateway = describedAt('getProtectedResource', 'the gateway')
    app.get(METADATA_PATH, { config: OPEN, schema: ofGateway }, describeAt(''))
    const ofMcp = describedAt('getProtectedResourceOfMcp', 'MCP')
    app.get(`${METADATA_PATH}/mcp`, { config: OPEN, schema: ofMcp }, describeAt('/mcp'))
    done()
  }
}

function noIssuer(): GatewayError {
  return new GatewayError(
    'NOT_FOUND',
    'This gateway has no identity provider: callers need one of its keys, or nothing.',
    { source: 'caller' },
  )
}
