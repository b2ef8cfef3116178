import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mayCall } from '../src/access/permission.ts'
import type { Catalog } from '../src/cards/catalog.ts'
import { version } from '../src/lib/version.ts'
import type { Caller } from '../src/model/caller.ts'
import type { Card } from '../src/model/card.ts'
import { PROFILE_NAMES } from '../src/model/profile-name.ts'
import { BatchQuery } from './batch.ts'
import { RunQuery } from './capabilities.ts'
import { batchOperation, batchSchemas } from './support/batch-operation.ts'
import { capabilityOperation } from './support/capability-operation.ts'
import { openAllRoutes } from './support/request-context.ts'
import { HEADERS, queryParameters } from './support/request-parameters.ts'
import { JsonBody, PageBody } from './support/schemas.ts'
import {
  type Operation,
  refToDialect,
  SHARED_RESPONSES,
  SHARED_SCHEMAS,
  shareParts,
} from './support/shared-answers.ts'

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
      },
      ...(publicUrl === '' ? {} : { servers: [{ url: publicUrl }] }),
      ...(hasKeys ? WITH_KEYS : {}),
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
    tags: ['documentation'],
    summary: 'Get this document',
    response: { 200: JsonBody('The OpenAPI 3.1 document.') },
  },
}
const DOCS_PAGE = {
  tags: ['documentation'],
  summary: 'Read this document as a web page',
  response: { 200: PageBody('The page.') },
}

export interface OpenapiOptions {
  readonly catalog: Catalog
  /** Null for a stranger, who sees no capability. */
  readonly callerOf: (request: FastifyRequest) => Caller | null
}

/** Serves `/openapi.json` and `/docs`, which always describe the current cards that the caller may call. */
export async function openapiRoutes(
  app: FastifyInstance,
  { catalog, callerOf }: OpenapiOptions,
): Promise<void> {
  const document = (request: FastifyRequest) => {
    const caller = callerOf(request)
    const cards = caller === null ? [] : catalog.all().filter(card => mayCall(caller, card))
    return complete(app.swagger() as unknown as Document, cards)
  }
  await app.register(async scope => {
    openAllRoutes(scope)
    scope.addHook('onRoute', route => {
      if (route.url === '/docs') route.schema = DOCS_PAGE
    })
    scope.get('/openapi.json', DOCUMENT, document)
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      transformSpecificationClone: false,
      transformSpecification: (_document, request) => document(request),
    })
  })
}

interface Document {
  readonly components?: { readonly schemas?: object }
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly [member: string]: unknown
}

/** Adds an operation for each capability, with its own input and output, so that an agent needs no other page. */
function complete({ paths = {}, components, ...document }: Document, cards: readonly Card[]) {
  const capabilities = cards.map(
    card => [`/v1/capabilities/${card.id}`, { post: capabilityOperation(card, RunQuery) }] as const,
  )
  const endpoints = Object.entries(paths).map(([path, operations]) => {
    const shared = Object.entries(operations).map(([method, one]) => [method, shareParts(one)])
    return [path, Object.fromEntries(shared)] as const
  })
  return {
    ...document,
    components: {
      ...components,
      schemas: {
        ...components?.schemas,
        ...SHARED_SCHEMAS,
        ...batchSchemas(cards, PROFILE_NAMES.map(refToDialect)),
      },
      responses: SHARED_RESPONSES,
    },
    paths: {
      ...Object.fromEntries(capabilities),
      '/v1/batch': { post: BATCH },
      ...Object.fromEntries(endpoints),
    },
  }
}

/** Without the header Idempotency-Key: the calls of a batch have keys of their own. */
const BATCH = batchOperation([
  ...queryParameters(BatchQuery, []),
  ...HEADERS.filter(({ name }) => name !== 'Idempotency-Key'),
])
