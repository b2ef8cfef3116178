import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OpenIssuer } from '../src/access/issuers.ts'
import { mayCall } from '../src/access/permission.ts'
import { version } from '../src/lib/version.ts'
import type { Card } from '../src/model/card.ts'
import type { Knowledge } from '../src/render/render.ts'
import { type Collected, completeDocument } from './document/document.ts'
import { chooseCards, DocumentQuery } from './document/query.ts'
import { openAllRoutes } from './support/request-context.ts'
import { JsonBody, PageBody } from './support/schemas.ts'

export interface DocumentOptions {
  /** The address that callers know; empty for the one from which they get the document. */
  readonly publicUrl: string
  /** Whether the gateway has keys. Without any, nobody needs one. */
  readonly hasKeys: boolean
  /** The identity providers whose tokens do as well as keys. */
  readonly issuers: readonly OpenIssuer[]
}

/** Collects the schemas of the endpoints that are registered after it. */
export async function collectSchemas(
  app: FastifyInstance,
  { publicUrl, hasKeys, issuers }: DocumentOptions,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Signalbox',
        version,
        description:
          'An HTTP gateway for AI agents. Run a capability with POST /v1/capabilities/{id}: the body is its input, ' +
          'the answer an envelope ok / data / error / meta. GET /v1/capabilities lists the capabilities.',
        contact: { name: 'The operator of this gateway' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [
        publicUrl === ''
          ? { url: '/', description: 'The gateway that serves this document.' }
          : { url: publicUrl },
      ],
      ...(hasKeys ? securityOf(issuers) : { security: [] }),
    },
    transform: ({ schema, url, route }) => {
      const isOpen = hasKeys && route.config?.access === 'open'
      return { schema: isOpen ? { ...schema, security: [] } : schema, url }
    },
  })
}

/** Every endpoint needs a key or a token, unless it says otherwise itself. */
function securityOf(issuers: readonly OpenIssuer[]) {
  const providers = issuers.map(
    ({ rules }, at) =>
      [at === 0 ? 'identityProvider' : `identityProvider${at + 1}`, rules] as const,
  )
  const schemes = providers.map(([name, rules]) => [name, schemeOf(rules)] as const)
  // Linters take scopes here for those of an OAuth flow, so that the description names them.
  const ofTokens = providers.map(([name]) => ({ [name]: [] }))
  const gatewayKey = { type: 'http' as const, scheme: 'bearer', description: 'A gateway key.' }
  return {
    components: { securitySchemes: { gatewayKey, ...Object.fromEntries(schemes) } },
    security: [{ gatewayKey: [] }, ...ofTokens],
  }
}

function schemeOf({ issuer, audiences, requiredScopes }: OpenIssuer['rules']) {
  const scopes =
    requiredScopes.length === 0 ? '' : ` It needs the scope ${requiredScopes.join(' ')}.`
  return {
    type: 'openIdConnect' as const,
    openIdConnectUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    description: `An access token of ${issuer}, whose audience is ${audiences.join(' or ')}.${scopes}`,
  }
}

const DOCUMENT = {
  schema: {
    operationId: 'getDocument',
    tags: ['documentation'],
    summary: 'Get this document',
    description:
      'Describes the capabilities that the key may call, or some of them, with their answers in one dialect. Generators of clients read it.',
    querystring: DocumentQuery,
    response: { 200: JsonBody('The OpenAPI 3.1 document.') },
  },
}
const DOCS_PAGE = {
  operationId: 'readDocument',
  tags: ['documentation'],
  summary: 'Read this document as a web page',
  description: 'Shows every operation, and sends requests from the page.',
  response: { 200: PageBody('The page.') },
}

export interface OpenapiOptions extends Pick<DocumentOptions, 'hasKeys'> {
  readonly knowledge: Knowledge & { readonly catalog: { all(): readonly Card[] } }
}

/** Serves `/openapi.json` and `/docs`, which always describe the current cards that the caller may call. */
export async function openapiRoutes(
  app: FastifyInstance,
  { knowledge, hasKeys }: OpenapiOptions,
): Promise<void> {
  const document = ({ visitor: caller }: FastifyRequest, query: DocumentQuery) => {
    // A stranger sees no capability.
    const mine = (card: Card) => caller !== null && mayCall(caller, card)
    const usual = caller?.profile ?? 'default'
    return completeDocument(app.swagger() as unknown as Collected, {
      profile: query.profile ?? usual,
      usual,
      knowledge,
      hasKeys,
      cards: chooseCards(query, knowledge.catalog.all(), mine),
      onlyCapabilities: query.capabilities !== undefined,
    })
  }
  await app.register(async scope => {
    openAllRoutes(scope)
    scope.addHook('onRoute', route => {
      if (route.url === '/docs') route.schema = DOCS_PAGE
    })
    scope.get('/openapi.json', DOCUMENT, request =>
      document(request, request.query as DocumentQuery),
    )
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      transformSpecificationClone: false,
      transformSpecification: (_document, request) => document(request, {}),
    })
  })
}
