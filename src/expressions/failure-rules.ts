import type { Expression } from '../model/expression.ts'
import type { FailureFacts, FailureRule, FailureRuleSource } from '../model/failure-rule.ts'

/** Compiles a rule; `body` arrives compiled, since expressions belong to the card compiler. */
export function compileFailureRule(
  source: FailureRuleSource,
  body: Expression | null,
): FailureRule {
  const { when } = source
  const patterns = {
    message: pattern(when.message),
    stderr: pattern(when.stderr),
    headers: Object.entries(when.header ?? {}).map(
      ([name, text]) => [name.toLowerCase(), new RegExp(text, 'i')] as const,
    ),
  }
  const checks: ((facts: FailureFacts) => boolean)[] = []
  if (when.route !== undefined) checks.push(facts => includes(when.route, facts.route))
  if (when.status !== undefined) checks.push(facts => includes(when.status, facts.status))
  if (when.exit_code !== undefined) checks.push(facts => includes(when.exit_code, facts.exitCode))
  if (when.type !== undefined)
    checks.push(facts => facts.types.some(type => includes(when.type, type)))
  for (const [name, regex] of patterns.headers) {
    checks.push(facts => regex.test(facts.headers[name] ?? ''))
  }
  const { message, stderr } = patterns
  if (message) checks.push(facts => facts.messages.some(text => message.test(text)))
  if (stderr) checks.push(facts => stderr.test(facts.stderr))
  if (body) checks.push(facts => holds(body, facts))
  const statuses = when.status === undefined ? null : [when.status].flat()
  return {
    matches: facts => checks.every(check => check(facts)),
    statuses,
    outcome: source.then,
  }
}

/** True in JMESPath's sense: an empty list is false. A predicate that cannot be evaluated does not hold. */
function holds(predicate: Expression, { body, status, headers }: FailureFacts): boolean {
  let value: unknown
  try {
    value = predicate({ body, status, headers })
  } catch {
    return false
  }
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return value !== null && value !== false && value !== ''
}

function pattern(text: string | undefined): RegExp | null {
  return text === undefined ? null : new RegExp(text, 'i')
}

function includes<T>(wanted: T | readonly T[] | undefined, value: T | null): boolean {
  return Array.isArray(wanted) ? wanted.includes(value) : wanted === value
}
