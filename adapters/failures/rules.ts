import type { FailureFacts, FailureRule } from '../../src/model/failure-rule.ts'
import { applyRule, type Verdict } from './verdict.ts'

/** Applies the first failure rule that matches to the `general` verdict. */
export function applyRules(
  facts: FailureFacts,
  rules: readonly FailureRule[],
  general: Verdict,
): Verdict {
  const rule = rulesFor(facts.status, rules).find(
    candidate => !candidate.outcome.ok && applies(candidate, facts, general),
  )
  return rule ? applyRule(rule, general) : general
}

/** The rule that says that this is no failure; null if another rule stands before it, or none says so. */
export function acceptingRule(
  facts: FailureFacts,
  rules: readonly FailureRule[],
): FailureRule | null {
  const rule = rulesFor(facts.status, rules).find(candidate => applies(candidate, facts, null))
  return rule?.outcome.ok ? rule : null
}

type Rules = readonly FailureRule[]

/** The rules that name a status. Found once for all its answers. */
export const rulesNaming = keptByStatus((status, rules) =>
  rules.filter(({ statuses }) => status !== null && statuses?.includes(status)),
)

/** The rules that can match an answer with a status: those that name it, and those that name none. */
export const rulesFor = keptByStatus((status, rules) =>
  rules.filter(
    ({ statuses }) => statuses === null || (status !== null && statuses.includes(status)),
  ),
)

function keptByStatus(choose: (status: number | null, rules: Rules) => Rules) {
  const kept = new WeakMap<Rules, Map<number | null, Rules>>()
  return (status: number | null, rules: Rules): Rules => {
    const known = kept.get(rules)?.get(status)
    if (known) return known
    const ofRules = kept.get(rules) ?? new Map<number | null, Rules>()
    const chosen = choose(status, rules)
    kept.set(rules, ofRules.set(status, chosen))
    return chosen
  }
}

/** Whether a rule matches. Words never beat a status, unless the rule names that status. */
function applies(rule: FailureRule, facts: FailureFacts, general: Verdict | null): boolean {
  if (!rule.matches(facts)) return false
  const { code } = rule.outcome
  const keepsCode = !rule.outcome.ok && (code === undefined || code === general?.code)
  return !rule.isWording || keepsCode || (facts.status ?? 0) < 300
}
