import type { Failure } from '../../src/model/failure.ts'
import type { FailureRule } from '../../src/model/failure-rule.ts'
import type { Reply } from '../../src/model/reply.ts'
import type { Warning } from '../../src/model/warnings.ts'
import { exchangeOf } from '../http/judge/failure.ts'
import { type Circumstances, factsOf } from '../http/read/answer-facts.ts'
import type { HttpAnswer } from '../http/wire/answer.ts'
import { readJson } from '../http/wire/json.ts'
import { classifyAnswer, classifyUnreadable, isNotReady, isRefusal } from './classify.ts'
import type { RestCardSection } from './schema.ts'

/** What the call asked for, beside the circumstances of its answer. */
export interface Asked extends Circumstances {
  readonly card: RestCardSection
  /** Whether `If-None-Match` was sent. */
  readonly conditional: boolean
}

/** Turns an answer into a reply: success with a body, or a failure with its meaning. */
export function readReply(answer: HttpAnswer, asked: Asked): Reply {
  const exchange = exchangeOf(answer, asked.now)
  const read = isSuccess(answer.status, asked)
    ? readSuccess(answer, asked)
    : readFailure(answer, asked)
  if ('failure' in read) return { ok: false, failure: read.failure, exchange }
  const { body, warnings } = read
  const { status, headers } = answer
  return { ok: true, body, status, headers, warnings, partialFailure: null, exchange }
}

type Read =
  | { readonly body: unknown; readonly warnings: readonly Warning[] }
  | { readonly failure: Failure }

function isSuccess(status: number, asked: Asked): boolean {
  if (asked.card.accept?.includes(status)) return true
  if (status === 304) return asked.conditional
  return status >= 200 && status < 300 && !isNotReady(status, asked)
}

function readSuccess(answer: HttpAnswer, asked: Asked): Read {
  const read = readBody(answer, asked)
  if ('failure' in read) return read
  return objection(answer, read.value, asked) ?? { body: read.value, warnings: [] }
}

const NO_BODY: readonly number[] = [204, 205, 304]

function readBody(
  answer: HttpAnswer,
  asked: Asked,
): { readonly value: unknown } | { readonly failure: Failure } {
  const parse = asked.card.parse ?? 'json'
  if (parse === 'text') return { value: answer.text }
  if (parse === 'none' || NO_BODY.includes(answer.status) || asked.method === 'HEAD') {
    return { value: null }
  }
  // A change may well be answered without a word; to a question that is no answer.
  if (answer.text === '' && asked.effect !== 'read') return { value: null }
  const json = readJson(answer.text)
  return json.ok ? json : { failure: classifyUnreadable(answer, json.cutShort, asked) }
}

/**
 * A status of success may be belied by the body, or by a rule of the upstream: failures told with 200,
 * results that are not whole. Only rules that name the status are asked, so most successes ask none.
 */
function objection(answer: HttpAnswer, body: unknown, asked: Asked): Read | null {
  const rules = asked.rules.filter(rule => rule.statuses?.includes(answer.status))
  const refused = isRefusal(body)
  if (rules.length === 0 && !refused) return null
  const facts = factsOf(answer, body, asked)
  const rule = rules.find(candidate => candidate.matches(facts.rule))
  if (rule?.outcome.ok) return accepted(rule, body)
  return rule || refused ? { failure: classifyAnswer(facts, asked) } : null
}

function readFailure(answer: HttpAnswer, asked: Asked): Read {
  const json = readJson(answer.text)
  const body = json.ok ? json.value : answer.text
  const facts = factsOf(answer, body, asked)
  const rule = asked.rules.find(candidate => candidate.matches(facts.rule))
  return rule?.outcome.ok ? accepted(rule, body) : { failure: classifyAnswer(facts, asked) }
}

function accepted({ outcome }: FailureRule, body: unknown): Read {
  const message = outcome.message ?? 'The upstream left out some of the data.'
  return { body, warnings: outcome.partial ? [{ code: 'PARTIAL_RESULTS', message }] : [] }
}
