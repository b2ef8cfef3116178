import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../src/cards/catalog.ts'
import { version } from '../src/lib/version.ts'
import type { Card } from '../src/model/card.ts'
import { FailureEnvelope, Meta } from '../src/model/envelope.ts'
import { PROFILE_NAMES, type ProfileName } from '../src/model/profile-name.ts'
import { PROFILES } from '../src/render/profiles/index.ts'
import { BatchQuery } from './batch.ts'
import { RunQuery } from './capabilities.ts'
import { batchOperation, batchSchemas } from './support/batch-operation.ts'
import { openAllRoutes } from './support/request-context.ts'

/** Collects the schemas of all endpoints; registered before them. */
export async function collectSchemas(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Signalbox',
        version,
        description:
          'An HTTP gateway for AI agents. Run a capability with POST /v1/capabilities/{id}: the body is its input, ' +
          'the answer an envelope ok / data / error / meta. GET /v1/capabilities lists what there is.',
      },
      components: {
        securitySchemes: {
          gatewayKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'A gateway key, where keys are configured.',
          },
        },
      },
      security: [{ gatewayKey: [] }],
    },
  })
}

/** `/openapi.json` and `/docs`; both always describe the cards as they are now. */
export async function openapiRoutes(app: FastifyInstance, catalog: Catalog): Promise<void> {
  const document = () => withCapabilities(app.swagger(), catalog.all())
  await app.register(async scope => {
    openAllRoutes(scope)
    scope.get('/openapi.json', { schema: { hide: true } }, document)
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      transformSpecificationClone: false,
      transformSpecification: () => document() as Record<string, unknown>,
    })
  })
}

type Document = ReturnType<FastifyInstance['swagger']>

/** One operation for each capability, with its own input and output: an agent needs no other page. */
function withCapabilities(base: Document, cards: readonly Card[]): Document {
  const operations = cards.map(
    card => [`/v1/capabilities/${card.id}`, { post: operationOf(card) }] as const,
  )
  const { paths, components } = base as {
    paths?: object
    components?: { schemas?: Record<string, unknown> }
  }
  return {
    ...(base as object),
    components: {
      ...components,
      schemas: {
        ...components?.schemas,
        ...DIALECTS,
        ...batchSchemas(cards, PROFILE_NAMES.map(referTo)),
        Meta,
        Failure: FailureEnvelope,
      },
    },
    paths: { ...Object.fromEntries(operations), '/v1/batch': BATCH, ...paths },
  } as unknown as Document
}

function operationOf(card: Card) {
  return {
    operationId: card.id,
    tags: [card.upstream.id],
    summary: card.description,
    description: describe(card),
    deprecated: card.deprecated !== null,
    parameters: [...queryParameters(RunQuery, card.routes), ...HEADERS],
    requestBody: { required: true, content: { 'application/json': { schema: card.input } } },
    responses: {
      200: {
        description: 'Done.',
        content: { 'application/json': { schema: successSchema(card) }, ...OTHER_DIALECTS },
      },
      default: {
        description: 'Not done; error.code says why, error.next what to do.',
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Failure' } },
          ...OTHER_DIALECTS,
        },
      },
    },
  }
}

function successSchema({ output }: Card) {
  return {
    type: 'object',
    required: ['ok', 'data', 'error', 'meta'],
    properties: {
      ok: { const: true },
      data: output,
      error: { type: 'null' },
      meta: { $ref: '#/components/schemas/Meta' },
    },
  }
}

/** As they are asked for with Accept; `profile` in the query gives the same. */
const OTHER_DIALECTS = Object.fromEntries(
  PROFILE_NAMES.filter(name => name !== 'default').map(name => [
    `application/json; profile="${name}"`,
    { schema: { $ref: referTo(name) } },
  ]),
)

const DIALECTS = Object.fromEntries(
  PROFILE_NAMES.map(name => [dialectName(name), PROFILES[name].schema]),
)

function dialectName(name: ProfileName): string {
  return `Profile.${name}`
}

function referTo(name: ProfileName): string {
  return `#/components/schemas/${dialectName(name)}`
}

function describe({ effect, routes }: Card): string {
  const effects = {
    read: 'Changes nothing.',
    idempotent: 'May be repeated.',
    write: 'Never repeated by the gateway.',
  }
  return `${effects[effect]} Routes, preferred first: ${routes.map(({ route }) => route).join(', ')}.`
}

function queryParameters(
  { properties }: typeof RunQuery | typeof BatchQuery,
  routes: Card['routes'],
) {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    description: schema.description,
    schema: parameterSchema(name as keyof typeof RunQuery.properties, routes),
  }))
}

/** In the query everything is text; this says what the text has to mean. */
function parameterSchema(name: keyof typeof RunQuery.properties, routes: Card['routes']) {
  switch (name) {
    case 'route':
      return { type: 'string', enum: routes.map(({ route }) => route) }
    case 'profile':
      return { type: 'string', enum: PROFILE_NAMES }
    case 'fields':
      return { type: 'string' }
    case 'timeout_ms':
    case 'token_budget':
      return { type: 'integer' }
  }
}

const HEADERS = [
  {
    name: 'X-Upstream-Authorization',
    in: 'header',
    description: "The caller's own credential for the upstream.",
    schema: { type: 'string' },
  },
  {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes a change happen once, however often it is asked for; kept 24 hours.',
    schema: { type: 'string', maxLength: 255 },
  },
  {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Becomes meta.request_id.',
    schema: { type: 'string' },
  },
]

/** Of a batch, whose calls have keys of their own. */
const BATCH = {
  post: batchOperation([
    ...queryParameters(BatchQuery, []),
    ...HEADERS.filter(({ name }) => name !== 'Idempotency-Key'),
  ]),
}
