import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Card } from '../../src/model/card.ts'
import type { Answer } from '../../src/model/envelope.ts'
import { expectEveryDialect } from '../support/dialects.ts'
import type { ParityCase } from './case.ts'
import { collectCases, titleOf } from './collect.ts'
import { openPlace, type Place } from './place.ts'
import { type Findings, runCase } from './run-case.ts'
import { runPages, shortWalks } from './run-pages.ts'

/** Defines the tests of one folder of `cases/`: each case on all routes, and each long list page by page. */
export async function testDomain(domain: string): Promise<void> {
  const { cases, manyItems } = await collectCases(domain)

  let place: Place
  beforeAll(async () => {
    const opened = await openPlace()
    place = { ...opened, call: checkingDialects(opened) }
  })
  afterAll(() => place[Symbol.asyncDispose]())

  describe.each([...cases])('%s', (id, own) => {
    test.each(own.map(parityCase => [titleOf(parityCase), parityCase] as const))(
      'is equal on all routes: %s',
      async (_title, parityCase) => {
        const routes = runsByGh(own, parityCase) ? place.routes : withoutCli(place)
        const findings = await runCase({ ...place, routes }, cardOf(place, id), parityCase)
        expect(different(findings)).toEqual({})
      },
      60_000,
    )

    const many = manyItems.get(id)
    if (!many) return
    test('pages through to the end on all routes', async () => {
      expect(different(await runPages(place, cardOf(place, id), many, shortWalks))).toEqual({})
    }, 60_000)
  })
}

/** A run of `gh` takes as long as ten calls, so it gets one good case and one bad. `npm run parity` runs all. */
function runsByGh(own: readonly ParityCase[], parityCase: ParityCase): boolean {
  const isGood = ({ fails }: ParityCase) => fails === undefined
  return parityCase === own.find(isGood) || parityCase === own.find(other => !isGood(other))
}

function withoutCli({ routes }: Place): Place['routes'] {
  return routes.filter(route => route !== 'cli')
}

/** Checks that each kind of answer of each capability is valid in every dialect. */
function checkingDialects({ call, engine }: Place): Place['call'] {
  const tried = new Set<string>()
  return async (id, input, route) => {
    const answer: Answer = await call(id, input, route)
    const kind = `${id} ${route} ${answer.envelope.error?.code}`
    if (!tried.has(kind)) {
      tried.add(kind)
      expectEveryDialect(engine, answer)
    }
    return answer
  }
}

function cardOf({ engine }: Place, id: string): Card {
  const card = engine.catalog.get(id)
  if (!card) throw new Error(`there is no capability ${id}`)
  return card
}

function different(findings: Findings): Findings {
  return Object.fromEntries(Object.entries(findings).filter(([, found]) => found.length > 0))
}
