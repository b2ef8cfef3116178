import type { CallContext } from '../../src/adapter.ts'
import type { FailureRule } from '../../src/cards/failure-rules.ts'
import type { Failure, Reply, Warning } from '../../src/outcome.ts'
import type { HttpAnswer } from '../http/answer.ts'
import type { HttpRequest } from '../http/client.ts'
import { exchangeOf } from '../http/failure.ts'
import { readJson } from '../http/json.ts'
import { isNotReady } from '../http/status.ts'
import { type AnswerFacts, classifyAnswer, classifyUnreadable, factsOf } from './classify.ts'
import type { RestCardSection } from './schema.ts'

/** All that is known beside the answer when it is read. */
export interface Reading {
  readonly upstream: string
  readonly rules: readonly FailureRule[]
  readonly now: number
  readonly card: RestCardSection
  readonly request: HttpRequest
  readonly origin: string
  readonly context: CallContext
}

/** Turns an answer into a reply: success with a body, or a failure with its meaning. */
export function readReply(answer: HttpAnswer, reading: Reading): Reply {
  const exchange = exchangeOf(answer, reading.now)
  const read = isSuccess(answer.status, reading)
    ? readSuccess(answer, reading)
    : readFailure(answer, reading)
  if ('failure' in read) return { ok: false, failure: read.failure, exchange }
  const { body, warnings } = read
  const { status, headers } = answer
  return { ok: true, body, status, headers, lookup: {}, warnings, partialFailure: null, exchange }
}

type Read =
  | { readonly body: unknown; readonly warnings: readonly Warning[] }
  | { readonly failure: Failure }

function isSuccess(status: number, { card, context }: Reading): boolean {
  if (card.accept?.includes(status)) return true
  if (status === 304) return context.etag !== undefined
  return status >= 200 && status < 300 && !isNotReady(status, context.effect)
}

function readSuccess(answer: HttpAnswer, reading: Reading): Read {
  const body = readBody(answer, reading)
  if ('failure' in body) return body
  return objection(answer, body.value, reading) ?? { body: body.value, warnings: [] }
}

const NO_BODY = [204, 205, 304]

function readBody(
  answer: HttpAnswer,
  reading: Reading,
): { readonly value: unknown } | { readonly failure: Failure } {
  const { card, request, context } = reading
  const parse = card.parse ?? 'json'
  if (parse === 'text') return { value: answer.text }
  if (parse === 'none' || NO_BODY.includes(answer.status) || request.method === 'HEAD')
    return { value: null }
  // A change may well be answered without a word; to a question that is no answer.
  if (answer.text === '' && context.effect !== 'read') return { value: null }
  const json = readJson(answer.text)
  return json.ok ? json : { failure: classifyUnreadable(answer, json.cutShort, reading) }
}

/**
 * Upstreams that report failures with a status of success, or success that is not whole, say so in
 * their rules; only rules that name the status are asked, so most successes ask none.
 */
function objection(answer: HttpAnswer, body: unknown, reading: Reading): Read | null {
  const rules = reading.rules.filter(rule => rule.statuses?.includes(answer.status))
  if (rules.length === 0) return null
  const facts = factsOf(answer, body)
  const rule = rules.find(candidate => candidate.matches(facts.rule))
  if (!rule) return null
  return rule.outcome.ok ? accepted(rule, body) : { failure: classifyAnswer(facts, reading) }
}

function readFailure(answer: HttpAnswer, reading: Reading): Read {
  const json = readJson(answer.text)
  const body = json.ok ? json.value : answer.text
  const facts: AnswerFacts = factsOf(answer, body)
  const rule = reading.rules.find(candidate => candidate.matches(facts.rule))
  return rule?.outcome.ok ? accepted(rule, body) : { failure: classifyAnswer(facts, reading) }
}

function accepted({ outcome }: FailureRule, body: unknown): Read {
  const message = outcome.message ?? 'The upstream left out some of the data.'
  return { body, warnings: outcome.partial ? [{ code: 'PARTIAL_RESULTS', message }] : [] }
}
