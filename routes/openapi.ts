import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mayCall } from '../src/access/permission.ts'
import { version } from '../src/lib/version.ts'
import type { Caller } from '../src/model/caller.ts'
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
}

/** Collects the schemas of the endpoints that are registered after it. */
export async function collectSchemas(
  app: FastifyInstance,
  { publicUrl, hasKeys }: DocumentOptions,
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
      ...(hasKeys ? WITH_KEYS : { security: [] }),
    },
    transform: ({ schema, url, route }) => {
      const isOpen = hasKeys && route.config?.access === 'open'
      return { schema: isOpen ? { ...schema, security: [] } : schema, url }
    },
  })
}

/** Every endpoint needs the key, unless it says otherwise itself. */
const WITH_KEYS = {
  components: {
    securitySchemes: {
      gatewayKey: { type: 'http' as const, scheme: 'bearer', description: 'A gateway key.' },
    },
  },
  security: [{ gatewayKey: [] }],
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
  /** Null for a stranger, who sees no capability. */
  readonly callerOf: (request: FastifyRequest) => Caller | null
}

/** Serves `/openapi.json` and `/docs`, which always describe the current cards that the caller may call. */
export async function openapiRoutes(
  app: FastifyInstance,
  { knowledge, callerOf, hasKeys }: OpenapiOptions,
): Promise<void> {
  const document = (request: FastifyRequest, query: DocumentQuery) => {
    const caller = callerOf(request)
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
