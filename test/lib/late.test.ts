import { expect, test } from 'vitest'
import { addLate, makeAll } from '../../src/lib/late.ts'

test('a late member is made when it is read first, and once', () => {
  const made: string[] = []
  const make = (name: string) => () => {
    made.push(name)
    return { name }
  }
  const card = addLate({ id: 'a' }, { routes: make('routes'), verify: make('verify') })
  expect(made).toEqual([])
  expect(card.routes).toBe(card.routes)
  expect(made).toEqual(['routes'])
  expect({ ...card }).toEqual({ id: 'a', routes: { name: 'routes' }, verify: { name: 'verify' } })
  expect(makeAll({ a: () => 1, b: () => null })).toEqual({ a: 1, b: null })
})

test('a late member that could not be made is tried again', () => {
  let fails = true
  const card = addLate(
    {},
    {
      routes: () => {
        if (fails) throw new Error('broken')
        return 1
      },
    },
  )
  expect(() => card.routes).toThrow('broken')
  fails = false
  expect(card.routes).toBe(1)
})
