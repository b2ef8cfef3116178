import { describe, expect, test } from 'vitest'
import {
  compileExpression,
  compileTree,
  ExpressionError,
} from '../../src/expressions/expression.ts'
import { linkParam } from '../../src/expressions/functions.ts'

const names = { roots: ['input', 'lookup'], inputs: ['owner', 'name'] }

describe('expressions', () => {
  test.each([
    ['a syntax error', 'input.[', /does not compile/],
    ['a function that does not exist', 'shout(input.owner)', /calls shout\(\)/],
    ['a root that is not in scope', 'inptu.owner', /reads "inptu", but only input, lookup/],
    ['a member that the input lacks', "join('/', [input.ownr])", /reads input.ownr/],
    ['a misspelt root inside a function', 'length(lokup.x)', /reads "lokup"/],
    ['a misspelt root inside a let', 'let $x = inptu.owner in $x', /reads "inptu"/],
  ])('%s is found at compile time', (_title, text, message) => {
    expect(() => compileExpression(text, names)).toThrow(message)
  })

  test.each([
    ['fields of a lookup are not checked', 'lookup.repo.id'],
    ['a projection has its own scope', 'lookup.items[?state == `1`].{id: node_id}'],
    ['a pipe has its own scope', 'lookup | items[0]'],
    ['an expression reference has its own scope', 'sort_by(lookup.items, &created)'],
  ])('%s', (_title, text) => {
    expect(compileExpression(text, names)).toBeTypeOf('function')
  })

  test.each(['!a.b', 'c && !a.b.d', 'a[?!b.c]', '!a[?b]'])(
    '%s is refused, since it always gives null',
    text => {
      expect(() => compileExpression(text)).toThrow('write !(a.b), not !a.b')
    },
  )

  test('an unexpected value gives an error with the expression in it', () => {
    const upper = compileExpression('upper(input.owner)', names)
    expect(() => upper({ input: { owner: null } })).toThrow(ExpressionError)
    expect(() => upper({ input: { owner: null } })).toThrow(/upper\(input.owner\)/)
  })

  test('a tree evaluates its strings and keeps other values', () => {
    const tree = compileTree({ a: 'input.owner', b: [1, 'input.name', null], c: true }, text =>
      compileExpression(text),
    )
    expect(tree({ input: { owner: 'o', name: 'n' } })).toEqual({
      a: 'o',
      b: [1, 'n', null],
      c: true,
    })
  })
})

describe('functions of cards', () => {
  test('link_param reads the target of a relation', () => {
    const header =
      '<https://api.example.test/x?page=2&per_page=5>; rel="next", <https://api.example.test/x?page=9>; rel="last"'
    expect(linkParam(header, 'next', 'page')).toBe('2')
    expect(linkParam(header, 'last', 'page')).toBe('9')
    expect(linkParam(header, 'prev', 'page')).toBeNull()
    expect(linkParam(null, 'next', 'page')).toBeNull()
  })
})
