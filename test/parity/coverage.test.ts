import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { ROUTES } from '../../src/model/route.ts'
import { collectCases, domains } from './collect.ts'
import { openPlace } from './place.ts'

const { cases, manyItems } = await collectCases()
const place = await openPlace()
afterAll(() => place[Symbol.asyncDispose]())
const cards = place.engine.catalog.all()

test('every capability has cases, and every list capability a long list', () => {
  expect(cards.filter(card => !cases.has(card.id)).map(card => card.id)).toEqual([])
  expect(cards.filter(card => card.page && !manyItems.has(card.id)).map(card => card.id)).toEqual(
    [],
  )
})

test('every case is about a capability that exists', () => {
  expect([...cases.keys()].filter(id => !place.engine.catalog.get(id))).toEqual([])
})

test.each(domains)('the cases of %s, and its long lists, are run by a test file', async domain => {
  const file = new URL(`${domain}.test.ts`, import.meta.url)
  expect(readFileSync(file, 'utf8')).toContain(`testDomain('${domain}')`)
  const own = await collectCases(domain)
  expect([...own.manyItems.keys()].filter(id => !own.cases.has(id))).toEqual([])
})

test('every capability has every route, or a reason why the service does not offer it', () => {
  const gaps = cards.flatMap(card =>
    ROUTES.filter(
      route => !card.notOffered[route] && !card.routes.some(own => own.route === route),
    ).map(route => `${card.id} ${route}`),
  )
  expect(gaps).toEqual([])
})
