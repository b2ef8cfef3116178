import { expect, test } from 'vitest'
import { fakeCard, knowing } from '../../support/cards.ts'
import { corpusAnswers } from '../../support/corpus.ts'
import { expectEveryDialect } from '../../support/dialects.ts'

test('every failure of the corpus is valid in every dialect and size', async () => {
  const answers = await corpusAnswers(['rest', 'graphql', 'transport', 'cli'])
  expect(answers.length).toBeGreaterThan(180)
  const knowledge = knowing(fakeCard())
  for (const { answer } of answers) expectEveryDialect(knowledge, answer)
}, 120_000)
