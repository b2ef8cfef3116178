import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { Expression, ExpressionScope } from '../../src/model/expression.ts'
import type { ReadCall } from '../../src/model/read-call.ts'
import type { HttpAnswer } from '../http/wire/answer.ts'
import { readJson } from '../http/wire/json.ts'
import type { RestCardSection } from './schema.ts'

/** How a card waits for a job. Each function sees one answer, and throws if an expression fails on it. */
export interface Poll {
  readonly intervalMs: number
  readonly isPending: (answer: HttpAnswer, scope: ExpressionScope) => boolean
  readonly urlOf: (answer: HttpAnswer, scope: ExpressionScope) => string | null
  readonly resultUrlOf: (answer: HttpAnswer, scope: ExpressionScope) => string | null
  /** A sentence if the job failed. */
  readonly faultOf: (answer: HttpAnswer, scope: ExpressionScope) => string | null
  readonly continueWith: (answer: HttpAnswer, scope: ExpressionScope) => ReadCall | null
}

const INTERVAL_MS = 1000

export function compilePoll(section: RestCardSection, compiler: SectionCompiler): Poll | null {
  const { poll, accept = [] } = section
  if (!poll) return null
  if (accept.includes(202)) {
    compiler.problem(['accept'], 'has 202, for which poll waits', 'Remove 202, or poll.')
  }
  const optional = (key: 'pending' | 'url' | 'failed' | 'result_url') => {
    const text = poll[key]
    return text === undefined ? null : compiler.answerExpression(text, ['poll', key])
  }
  const pending = optional('pending')
  const url = optional('url')
  return {
    intervalMs: poll.interval_ms ?? INTERVAL_MS,
    isPending: (answer, scope) =>
      pending ? pending(answerScope(answer, scope)) === true : answer.status === 202,
    urlOf: (answer, scope) => (url ? textOf(url)(answer, scope) : locationOf(answer)),
    resultUrlOf: textOf(optional('result_url')),
    faultOf: textOf(optional('failed')),
    continueWith: compileContinue(poll.continue, compiler),
  }
}

function compileContinue(
  source: NonNullable<RestCardSection['poll']>['continue'],
  compiler: SectionCompiler,
): Poll['continueWith'] {
  if (!source) return () => null
  const { capability } = source
  const input = compiler.answerExpression(source.input, ['poll', 'continue', 'input'])
  return (answer, scope) => ({ capability, input: input(answerScope(answer, scope)) })
}

/** Null unless the expression gives a text. */
function textOf(expression: Expression | null): Poll['urlOf'] {
  return (answer, scope) => {
    const text = expression?.(answerScope(answer, scope))
    return typeof text === 'string' && text !== '' ? text : null
  }
}

function locationOf({ headers }: HttpAnswer): string | null {
  return headers['operation-location'] ?? headers.location ?? null
}

/** An answer about a job is JSON, whatever its result is. */
function answerScope({ text, status, headers }: HttpAnswer, scope: ExpressionScope) {
  const json = readJson(text)
  return { ...scope, body: json.ok ? json.value : null, status, headers }
}
