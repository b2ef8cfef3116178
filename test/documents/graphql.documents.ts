import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import {
  buildSchema,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql'
import { afterAll, describe, expect, test } from 'vitest'
import { importDocument, loadFolder } from './support/import-document.ts'
import { fileOf, SCHEMAS } from './support/published.ts'
import { sample } from './support/sample.ts'

interface Request {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

const place = mkdtempSync(join(tmpdir(), 'sb-schemas-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

describe.each(SCHEMAS)('the schema of $name', published => {
  test('gives cards for nearly all fields, whose requests graphql-js accepts', async () => {
    const file = fileOf(published, place)
    const imported = importDocument(file, join(place, published.name))
    const share = (100 * imported.cards.length) / imported.total
    expect(share).toBeGreaterThanOrEqual(95)
    expect(imported.seconds).toBeLessThan(10)
    expect(imported.largest).toBeLessThan(64_000)
    const schema = buildSchema(readFileSync(file, 'utf8'), { assumeValid: true })
    const requests = await requestsOf(imported.folder)
    expect(requests.length).toBeGreaterThan(imported.cards.length)
    expect(requests.flatMap(request => faultsOf(schema, request))).toEqual([])
  })
})

function faultsOf(schema: GraphQLSchema, { query, variables }: Request): string[] {
  const document = parse(query)
  const faults = validate(schema, document)
  const operation = document.definitions.find(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  )
  const { errors = [] } = getVariableValues(schema, operation?.variableDefinitions ?? [], variables)
  return [...faults, ...errors].map(({ message }) => `${query}: ${message}`)
}

/** Calls each card twice, with all members and with the required ones, and returns what arrives. */
async function requestsOf(folder: string): Promise<readonly Request[]> {
  const received: Request[] = []
  const server = createServer((request, response) => {
    void json(request).then(body => {
      received.push(body as Request)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data": {}}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const loaded = loadFolder(folder, `http://127.0.0.1:${port}/graphql`)
  try {
    expect(loaded.problems).toEqual([])
    for (const card of loaded.cards.values()) {
      const inputs = [true, false].map(isFull => sample(card.input, isFull))
      for (const input of inputs.filter(one => one !== undefined)) {
        await card.routes[0]?.call.call(
          { input: card.parseInput(input), lookup: {} },
          {
            signal: AbortSignal.timeout(20_000),
            timeoutMs: 20_000,
            effect: card.effect,
            credential: null,
            requestId: 'test',
          },
        )
      }
    }
  } finally {
    await loaded.close()
    server.closeAllConnections()
    server.close()
  }
  return received
}
