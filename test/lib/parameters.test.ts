import { describe, expect, test } from 'vitest'
import {
  type ParameterForm,
  type ParameterStyle,
  plainParameter,
  writeParameter,
} from '../../src/lib/parameters.ts'
import { ValueError } from '../../src/lib/value-error.ts'

const write = (style: ParameterStyle, value: unknown, more: Partial<ParameterForm> = {}) =>
  writeParameter({ ...plainParameter('p'), style, ...more }, value).join('&')

const LIST = ['green', 'a,b', 'c|d&']
const OBJECT = { x: 1, y: 'a,b' }
const NESTED = { x: { y: [1, 2] }, items: [{ a: 1 }, { a: 2 }], none: null }

describe('a parameter', () => {
  test.each<[ParameterStyle, unknown, string]>([
    ['repeat', LIST, 'p=green&p=a%2Cb&p=c%7Cd%26'],
    ['comma', LIST, 'p=green,a%2Cb,c%7Cd%26'],
    ['pipe', LIST, 'p=green|a%2Cb|c%7Cd%26'],
    ['space', LIST, 'p=green%20a%2Cb%20c%7Cd%26'],
    ['brackets', LIST, 'p%5B%5D=green&p%5B%5D=a%2Cb&p%5B%5D=c%7Cd%26'],
    ['indexed', LIST, 'p%5B0%5D=green&p%5B1%5D=a%2Cb&p%5B2%5D=c%7Cd%26'],
    ['json', LIST, `p=${encodeURIComponent(JSON.stringify(LIST))}`],
    ['comma', OBJECT, 'p=x,1,y,a%2Cb'],
    ['members', OBJECT, 'x=1&y=a%2Cb'],
    ['members', { x: [1, 2], y: null }, 'x=1&x=2'],
    ['brackets', OBJECT, 'p%5Bx%5D=1&p%5By%5D=a%2Cb'],
    ['json', { x: JSON.rawJSON('9007199254740993') }, 'p=%7B%22x%22%3A9007199254740993%7D'],
    ['repeat', JSON.rawJSON('9007199254740993'), 'p=9007199254740993'],
    ['comma', 'a,b', 'p=a%2Cb'],
    ['repeat', [null, 'a'], 'p=a'],
    ['repeat', null, ''],
    ['repeat', [], ''],
    ['json', [], 'p=%5B%5D'],
  ])('in the style %s sends %j as %s', (style, value, text) => {
    expect(write(style, value)).toBe(text)
  })

  test('nests names', () => {
    expect(decodeURIComponent(write('brackets', NESTED))).toBe(
      'p[x][y][]=1&p[x][y][]=2&p[items][0][a]=1&p[items][1][a]=2',
    )
    expect(decodeURIComponent(write('indexed', NESTED))).toBe(
      'p[x][y][0]=1&p[x][y][1]=2&p[items][0][a]=1&p[items][1][a]=2',
    )
  })

  test('sends an empty list if the card keeps it', () => {
    expect(write('repeat', [], { keepEmpty: true })).toBe('p=')
    expect(write('comma', [], { keepEmpty: true })).toBe('p=')
    expect(write('brackets', [], { keepEmpty: true })).toBe('p%5B%5D=')
  })

  test.each<[ParameterStyle, unknown]>([
    ['repeat', { a: 1 }],
    ['repeat', [{ a: 1 }]],
    ['comma', [[1]]],
    ['space', ['a b']],
    ['space', { 'a b': 1 }],
    ['brackets', { 'x][admin': 1 }],
    ['brackets', { '': 1 }],
    ['members', { taken: 1 }],
    ['members', { a: { b: 1 } }],
    ['repeat', 'a\0b'],
    ['members', { '\ud800': 1 }],
  ])('in the style %s refuses %j, naming the parameter', (style, value) => {
    const build = () => write(style, value, { taken: new Set(['taken']) })
    expect(build).toThrow(ValueError)
    expect(build).toThrow(/^p /)
  })
})
