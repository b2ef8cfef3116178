import { describe, expect, test } from 'vitest'
import { PROFILE_NAMES } from '../../../src/model/profile-name.ts'
import { countTokens } from '../../../src/render/budget/estimate.ts'
import { leastBudgetOf } from '../../../src/render/profiles/index.ts'
import { renderAnswer } from '../../../src/render/render.ts'
import { answerOf, fakeCard, knowing } from '../../support/cards.ts'

const EFFECTS = ['read', 'write'] as const

describe.each(PROFILE_NAMES)('at the smallest budget, %s', profile => {
  test.each(EFFECTS)('says which budget would do, and names the request: %s', effect => {
    const card = fakeCard({ id: 'repo.code_scanning.alerts.list', effect })
    const blob = Array.from({ length: 400 }, (_, n) => n)
    const answer = answerOf(card, { blob })
    const how = { profile, tokenBudget: 1, host: 'a-client' }
    const { body, needed } = renderAnswer(knowing(card), answer, how)
    expect(countTokens(body)).toBeLessThanOrEqual(leastBudgetOf(profile))
    expect(body).toContain(`token_budget to ${needed}`)
    const { request_id } = answer.envelope.meta
    // These dialects have no place for it; a header has it.
    const isNamed = ['ghx', 'compact', 'budgeted'].includes(profile) || body.includes(request_id)
    expect(isNamed).toBe(true)
  })
})
