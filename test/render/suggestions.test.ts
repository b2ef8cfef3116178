import { describe, expect, test } from 'vitest'
import { compileExpression } from '../../src/expressions/expression.ts'
import type { Suggestion } from '../../src/model/card.ts'
import { GatewayError } from '../../src/model/errors.ts'
import { NO_SUBJECT } from '../../src/model/subject.ts'
import { suggestCalls } from '../../src/render/suggestions.ts'
import { fakeCard, knowing } from '../support/cards.ts'

const strict = (input: unknown) => {
  const given = input as { readonly name?: unknown }
  if (typeof given.name !== 'string') throw new GatewayError('VALIDATION', 'no name')
  return { size: 10, ...given }
}
const view = fakeCard({ id: 'thing.view', parseInput: strict })

function suggest(capability: string, input: string, parts: Partial<Suggestion> = {}) {
  const suggestion: Suggestion = {
    capability,
    input: compileExpression(input),
    when: null,
    reason: null,
    ...parts,
  }
  const card = fakeCard({ id: 'thing.list', next: [suggestion], parseInput: strict })
  const subject = { ...NO_SUBJECT, card, input: { name: 'front', size: 10 } }
  return suggestCalls(knowing(card, view).catalog, subject, { first: 'bolt', more: null })
}

describe('a suggestion', () => {
  test('gets its input from the result and the input, without nulls', () => {
    expect(
      suggest('thing.view', '{name: data.first, shelf: input.name, after: data.more}'),
    ).toEqual([{ capability: 'thing.view', input: { name: 'bolt', shelf: 'front' } }])
  })

  test('is left out when its condition does not hold', () => {
    const input = '{name: data.first}'
    expect(suggest('thing.view', input, { when: compileExpression('data.more') })).toEqual([])
    expect(suggest('thing.view', input, { when: compileExpression('data.first') })).toHaveLength(1)
  })

  test('is left out when its input is invalid or its expression fails', () => {
    expect(suggest('thing.view', '{title: data.first}')).toEqual([])
    expect(suggest('thing.view', '{name: length(data.more)}')).toEqual([])
  })

  test('is left out when its capability does not exist', () => {
    expect(suggest('thing.gone', '{name: data.first}')).toEqual([])
  })

  test('is never the call just made, with or without its defaults', () => {
    expect(suggest('thing.list', '{name: input.name}')).toEqual([])
    expect(suggest('thing.list', '{name: input.name, size: `20`}')).toHaveLength(1)
  })
})
