import { expect } from 'vitest'
import { checkEnvelope } from '../../client/envelope.ts'
import type { Answer } from '../../src/model/envelope.ts'
import { PROFILE_NAMES, type ProfileName } from '../../src/model/profile-name.ts'
import { leastBudgetOf } from '../../src/render/profiles/index.ts'
import { type Knowledge, renderAnswer } from '../../src/render/render.ts'

/** No budget, one that truncates, and one that leaves room for hardly anything. */
const budgetsOf = (profile: ProfileName) => [null, 1000, leastBudgetOf(profile)]

/** Renders an answer in every dialect and size, and checks each body against the rules of its dialect. */
export function expectEveryDialect(knowledge: Knowledge, answer: Answer): void {
  for (const profile of PROFILE_NAMES) {
    for (const tokenBudget of budgetsOf(profile)) {
      const how = { profile, tokenBudget, host: 'a-client/1.0' }
      const { body } = renderAnswer(knowledge, answer, how)
      const faults = checkEnvelope(profile, JSON.parse(body))
      if (faults.length > 0) expect.fail(`${profile}: ${JSON.stringify(faults)} in ${body}`)
      if (tokenBudget !== null) expect(body.length / 4).toBeLessThanOrEqual(tokenBudget)
    }
  }
}
