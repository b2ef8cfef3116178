import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeenAnswer } from '../../sandbox/index.ts'
import type { OpenApi } from '../../src/tools/contract/openapi.ts'
import { readPublishedApi } from '../../src/tools/contract/published.ts'
import { collectCases, titleOf } from '../parity/collect.ts'
import { openPlace, type Place } from '../parity/place.ts'
import { answerFaults } from './answers.ts'

const { cases } = await collectCases()

let openApi: OpenApi
let place: Place
const seen: SeenAnswer[] = []
beforeAll(async () => {
  openApi = readPublishedApi(line => process.stdout.write(`${line}\n`))
  place = await openPlace(answer => seen.push(answer))
})
afterAll(() => place[Symbol.asyncDispose]())

/** Runs every parity case by REST and by `gh`, and compares the sandbox's answers with GitHub's schemas. */
describe.each([...cases])('%s', (id, own) => {
  test.each(own.map(parityCase => [titleOf(parityCase), parityCase] as const))(
    'the sandbox answers as GitHub describes it: %s',
    async (_title, { input, given }) => {
      seen.length = 0
      const card = place.engine.catalog.get(id)
      for (const { route } of card?.routes ?? []) {
        // GraphQL's schema types its answers, and gh sends the same requests as the rest route.
        if (route === 'graphql' || (route === 'cli' && hasRest(id))) continue
        if (!place.routes.includes(route)) continue
        const store = place.begin(given)
        await place.call(id, typeof input === 'function' ? input(store) : input, route)
      }
      expect(seen.flatMap(answer => answerFaults(openApi, answer))).toEqual([])
    },
  )
})

function hasRest(id: string): boolean {
  return place.engine.catalog.get(id)?.routes.some(({ route }) => route === 'rest') ?? false
}
