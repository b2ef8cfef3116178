import { expect, test } from 'vitest'
import { readOpenApi } from '../../../src/tools/import/openapi.ts'
import { convertSwagger } from '../../../src/tools/import/swagger.ts'

const Part = {
  type: 'object',
  required: ['sku'],
  properties: { sku: { type: 'string' }, note: { type: 'string', 'x-nullable': true } },
}
const DOCUMENT = {
  swagger: '2.0',
  info: { title: 'Parts', version: '1' },
  host: 'api.example.com',
  basePath: '/v2',
  schemes: ['https', 'http'],
  consumes: ['application/json'],
  produces: ['application/json'],
  parameters: {
    Limit: { name: 'limit', in: 'query', type: 'integer', maximum: 10 },
    Body: { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Part' } },
  },
  responses: {
    Parts: {
      description: 'All.',
      schema: { type: 'array', items: { $ref: '#/definitions/Part' } },
    },
  },
  definitions: { Part },
  securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  security: [{ key: [] }],
  paths: {
    '/parts': {
      parameters: [{ $ref: '#/parameters/Limit' }],
      get: { operationId: 'listParts', responses: { 200: { $ref: '#/responses/Parts' } } },
      post: {
        operationId: 'createPart',
        parameters: [{ $ref: '#/parameters/Body' }],
        responses: { 201: { description: 'It.', schema: { $ref: '#/definitions/Part' } } },
      },
    },
    '/export': {
      get: {
        operationId: 'exportStock',
        produces: ['text/csv'],
        responses: { 200: { description: 'All of it.', schema: { type: 'string' } } },
      },
    },
  },
}

test('Swagger 2.0 gives cards like OpenAPI 3', () => {
  const service = readOpenApi(convertSwagger(DOCUMENT))
  expect(service.upstream('P', null).section).toEqual({
    base_url: '${P_URL:-https://api.example.com/v2}',
    headers: { 'x-key': '${credential}' },
  })
  const [list, create, exported] = service.operations.map(operation => operation.draft())
  expect(list?.input.properties).toEqual({ limit: { type: 'integer', maximum: 10 } })
  expect(list?.output.properties).toMatchObject({ items: { items: { required: ['sku'] } } })
  expect(create?.input).toMatchObject({
    required: ['sku'],
    properties: { sku: { type: 'string' }, note: { type: ['string', 'null'] } },
  })
  expect(create?.section).toMatchObject({ method: 'POST', path: '/parts' })
  expect(exported?.section).toMatchObject({ parse: 'csv', headers: { accept: "'text/csv'" } })
})

test('converting leaves the document alone', () => {
  const before = structuredClone(DOCUMENT)
  convertSwagger(DOCUMENT)
  expect(DOCUMENT).toEqual(before)
})
