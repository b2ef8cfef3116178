import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonText } from '../../../src/lib/json-text.ts'
import { createWarning } from '../../../src/model/warnings.ts'
import { defaultProfile } from '../../../src/render/profiles/default.ts'
import { renderAnswer } from '../../../src/render/render.ts'
import { answerOf, fakeCard, knowing } from '../../support/cards.ts'

const how = { profile: 'default', host: null } as const
const warnings = fc.array(
  fc.string().map(message => createWarning('PARTIAL_RESULTS', message)),
  { maxLength: 2 },
)

test('the text that is written in parts is the JSON of the envelope, with and without a budget', () => {
  const card = fakeCard({})
  fc.assert(
    fc.property(
      fc.jsonValue(),
      warnings,
      fc.constantFrom(null, 20_000),
      (value, warned, tokens) => {
        const plain = answerOf(card, value, { warnings: warned })
        const { meta, data } = plain.envelope
        const answer = { ...plain, metaJson: new JsonText(meta), dataJson: new JsonText(data) }
        const { body, parts, envelope } = renderAnswer(knowing(card), answer, {
          ...how,
          tokenBudget: tokens,
        })
        expect(body).toBe(JSON.stringify(envelope))
        expect(parts.join('')).toBe(body)
      },
    ),
  )
})

test('suggestions stand at the end of meta', () => {
  const { envelope } = answerOf(fakeCard({}), { id: 1 })
  const next = [{ capability: 'thing.list', input: {}, reason: 'See "all".' }]
  const context = {
    suggestions: () => next,
    metaText: () => JSON.stringify(envelope.meta),
    dataText: () => JSON.stringify(envelope.data),
  }
  const written = defaultProfile.write?.(envelope, context as never).join('') ?? ''
  expect(written).toBe(JSON.stringify(defaultProfile.render(envelope, context as never)))
  expect(JSON.parse(written).meta.next).toEqual(next)
})
