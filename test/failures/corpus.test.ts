import { describe, expect, test } from 'vitest'
import { CORPORA, readCases } from './case.ts'
import { replayCase } from './replay.ts'
import { RUNNERS } from './runners.ts'

const cases = CORPORA.flatMap(readCases)

describe.each(Object.keys(RUNNERS))('the failure corpus, %s', route => {
  const own = cases.filter(failureCase => failureCase.route === route)

  test.each(own.map(failureCase => [failureCase.id, failureCase] as const))(
    '%s',
    async (_, failureCase) => {
      const { wrong } = await replayCase(failureCase)
      expect(wrong).toEqual([])
    },
  )
})
