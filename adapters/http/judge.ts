import type { FailureFacts, FailureRule } from '../../src/cards/failure-rules.ts'
import { applyRule, type Verdict } from './verdict.ts'

/** The verdict of the first rule that matches, or the general one; null where a rule says it is no failure. */
export function judge(
  facts: FailureFacts,
  rules: readonly FailureRule[],
  general: Verdict,
): Verdict | null {
  const rule = rules.find(candidate => candidate.matches(facts))
  if (!rule) return general
  return rule.outcome.ok ? null : applyRule(rule, general)
}
