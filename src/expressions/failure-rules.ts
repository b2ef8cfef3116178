import type { Expression } from '../model/expression.ts'
import type { FailureFacts, FailureRule, FailureRuleSource } from '../model/failure-rule.ts'
import { isTruthy } from './truth.ts'

/** Patterns look at the end of longer texts, where programs print their errors. */
const MAX_TEXT = 32_768

type Check = (facts: FailureFacts) => boolean

/**
 * Compiles a rule. The caller compiles its `body`, and reports the faults of that with their lines.
 * @throws {SyntaxError} when a pattern is not a regular expression.
 */
export function compileFailureRule(
  { when, then: outcome }: FailureRuleSource,
  body: Expression | null,
): FailureRule {
  const { route, status, exit_code, type, header = {}, message, stderr } = when
  const checks = [
    ...oneOf(route, (facts, wanted) => wanted.includes(facts.route)),
    ...oneOf(status, (facts, wanted) => wanted.includes(facts.status)),
    ...oneOf(exit_code, (facts, wanted) => wanted.includes(facts.exitCode)),
    ...oneOf(type, (facts, wanted) => facts.types.some(one => wanted.includes(one))),
    ...Object.entries(header).flatMap(([name, pattern]) =>
      matching(pattern, facts => [facts.headers[name.toLowerCase()] ?? '']),
    ),
    ...matching(message, facts => facts.messages),
    ...matching(stderr, facts => [facts.stderr]),
    ...(body ? [(facts: FailureFacts) => holds(body, facts)] : []),
  ]
  return {
    matches: facts => checks.every(check => check(facts)),
    statuses: status === undefined ? null : [status].flat(),
    exitCodes: exit_code === undefined ? null : [exit_code].flat(),
    isWording: isWording(when),
    outcome,
  }
}

/** Whether a rule looks at a message and at nothing that says more than a status. */
function isWording({
  status,
  type,
  header,
  body,
  message,
  stderr,
}: FailureRuleSource['when']): boolean {
  const hasWords = message !== undefined || stderr !== undefined
  return hasWords && [status, type, header, body].every(condition => condition === undefined)
}

/** Holds when the facts have one of the wanted values. No check when the rule does not name any. */
function oneOf(
  wanted: unknown,
  has: (facts: FailureFacts, wanted: readonly unknown[]) => boolean,
): Check[] {
  if (wanted === undefined) return []
  const all: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted]
  return [facts => has(facts, all)]
}

/** Holds when the pattern matches in one of the texts. No check when the rule has no such pattern. */
function matching(
  pattern: string | undefined,
  texts: (facts: FailureFacts) => readonly string[],
): Check[] {
  if (pattern === undefined) return []
  const regex = new RegExp(pattern, 'i')
  return [facts => texts(facts).some(text => regex.test(text.slice(-MAX_TEXT)))]
}

/** A predicate that cannot be evaluated does not hold. */
function holds(predicate: Expression, { body, status, headers }: FailureFacts): boolean {
  try {
    return isTruthy(predicate({ body, status, headers }))
  } catch {
    return false
  }
}
