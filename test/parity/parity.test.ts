import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Card } from '../../src/model/card.ts'
import type { Answer } from '../../src/model/envelope.ts'
import { ROUTES } from '../../src/model/route.ts'
import { expectEveryDialect } from '../support/dialects.ts'
import type { ParityCase } from './case.ts'
import { collectCases, titleOf } from './collect.ts'
import { openPlace, type Place } from './place.ts'
import { type Findings, runCase } from './run-case.ts'
import { runPages, shortWalks } from './run-pages.ts'

const { cases, manyItems } = await collectCases()

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
      const routes = byGh(own, parityCase) ? place.routes : withoutCli(place)
      expect(different(await runCase({ ...place, routes }, cardOf(id), parityCase))).toEqual({})
    },
  )

  const many = manyItems.get(id)
  if (!many) return
  test('pages through to the end on all routes', async () => {
    expect(different(await runPages(place, cardOf(id), many, shortWalks))).toEqual({})
  }, 60_000)
})

test('every capability has cases, and every list capability a long list', () => {
  const all = place.engine.catalog.all()
  expect(all.filter(card => !cases.has(card.id)).map(card => card.id)).toEqual([])
  expect(all.filter(card => card.page && !manyItems.has(card.id)).map(card => card.id)).toEqual([])
  expect(
    [...cases.keys(), ...manyItems.keys()].filter(id => !place.engine.catalog.get(id)),
  ).toEqual([])
})

test('every capability has every route, or a reason why the service does not offer it', () => {
  const gaps = place.engine.catalog
    .all()
    .flatMap(card =>
      ROUTES.filter(
        route => !card.notOffered[route] && !card.routes.some(own => own.route === route),
      ).map(route => `${card.id} ${route}`),
    )
  expect(gaps).toEqual([])
})

/** A run of `gh` takes as long as ten calls, so it gets one good case and one bad. `npm run parity` runs all. */
function byGh(own: readonly ParityCase[], parityCase: ParityCase): boolean {
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

function cardOf(id: string): Card {
  const card = place.engine.catalog.get(id)
  if (!card) throw new Error(`there is no capability ${id}`)
  return card
}

function different(findings: Findings): Findings {
  return Object.fromEntries(Object.entries(findings).filter(([, found]) => found.length > 0))
}
