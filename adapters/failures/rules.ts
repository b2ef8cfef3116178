import type { FailureFacts, FailureRule } from '../../src/model/failure-rule.ts'
import { applyRule, type Verdict } from './verdict.ts'

/** Applies the first failure rule that matches to the `general` verdict. */
export function applyRules(
  facts: FailureFacts,
  rules: readonly FailureRule[],
  general: Verdict,
): Verdict {
  const rule = rules.find(candidate => !candidate.outcome.ok && applies(candidate, facts, general))
  return rule ? applyRule(rule, general) : general
}

/** The rule that says that this is no failure; null if another rule stands before it, or none says so. */
export function acceptingRule(
  facts: FailureFacts,
  rules: readonly FailureRule[],
): FailureRule | null {
  const rule = rules.find(candidate => applies(candidate, facts, null))
  return rule?.outcome.ok ? rule : null
}

/** Whether a rule matches. Words never beat a status, unless the rule names that status. */
function applies(rule: FailureRule, facts: FailureFacts, general: Verdict | null): boolean {
  if (!rule.matches(facts)) return false
  const { code } = rule.outcome
  const keepsCode = !rule.outcome.ok && (code === undefined || code === general?.code)
  return !rule.isWording || keepsCode || (facts.status ?? 0) < 300
}
