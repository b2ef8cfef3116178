import type { Failure } from '../../src/model/failure.ts'
import type { FailureRule } from '../../src/model/failure-rule.ts'
import type { Reply } from '../../src/model/reply.ts'
import type { Warning } from '../../src/model/warnings.ts'
import { rulesFor, rulesNaming } from '../failures/rules.ts'
import { readErrorDocument } from '../failures/vocabulary/error-document.ts'
import { classifyAnswer, classifyUnreadable, isNotReady } from '../http/judge/answer.ts'
import { type Circumstances, factsOf } from '../http/read/answer-facts.ts'
import { exchangeOf } from '../http/read/exchange.ts'
import { type HttpAnswer, isSuccessStatus } from '../http/wire/answer.ts'
import { readJson } from '../http/wire/json.ts'
import { READERS, type ReadBody, readableOtherwise, type UnreadableBody } from './formats.ts'
import type { RestCardSection } from './schema.ts'

export interface RestCircumstances extends Circumstances {
  readonly card: RestCardSection
  /** Members of the answer that the card asks for. */
  readonly asked: ReadonlySet<string>
  /** The most that a table or an XML document may have. */
  readonly maxParsedBytes: number
  /** Whether the request had `If-None-Match`. */
  readonly conditional: boolean
}

/** Turns an answer into a reply: a body, or a classified failure. */
export function readRestReply(answer: HttpAnswer, circumstances: RestCircumstances): Reply {
  const exchange = exchangeOf(answer, circumstances.now)
  const read = isSuccess(answer.status, circumstances)
    ? readSuccess(answer, circumstances)
    : readFailure(answer, circumstances)
  if ('failure' in read) return { ok: false, failure: read.failure, exchange }
  const { body, warnings } = read
  const { status, headers } = answer
  return { ok: true, body, status, headers, warnings, partialFailure: null, exchange }
}

type Read =
  | { readonly body: unknown; readonly warnings: readonly Warning[] }
  | { readonly failure: Failure }

function isSuccess(status: number, circumstances: RestCircumstances): boolean {
  if (circumstances.card.accept?.includes(status)) return true
  if (status === 304) return circumstances.conditional
  return isSuccessStatus(status) && !isNotReady(status, circumstances)
}

function readSuccess(answer: HttpAnswer, circumstances: RestCircumstances): Read {
  const read = excessOf(answer, circumstances) ?? readBody(answer, circumstances)
  if (!read.ok) return reported(answer, circumstances) ?? unreadable(answer, read, circumstances)
  const { value: body, warnings = [] } = read
  return contradiction(answer, body, circumstances) ?? { body, warnings }
}

/** A service may report its failure as JSON also where the card expects another format. */
function reported(answer: HttpAnswer, circumstances: RestCircumstances): Read | null {
  const json = readJson(answer.text)
  return json.ok ? contradiction(answer, json.value, circumstances) : null
}

function unreadable(
  answer: HttpAnswer,
  fault: UnreadableBody,
  circumstances: RestCircumstances,
): Read {
  const readable = readableOtherwise(answer, circumstances.card)
  return { failure: classifyUnreadable(answer, { ...fault, readable }, circumstances) }
}

const NO_BODY: readonly number[] = [204, 205, 304]

/** Formats whose parsers are many times slower than that of JSON. */
const SLOW = { csv: 'CSV', xml: 'XML' } as const

function readBody(answer: HttpAnswer, { card, method, effect }: RestCircumstances): ReadBody {
  const { parse = 'json' } = card
  const { text, bytes } = answer
  if (parse === 'text') return { ok: true, value: text }
  if (parse === 'none' || NO_BODY.includes(answer.status) || method === 'HEAD') return NOTHING
  // An empty body is fine for a write; a read must return something.
  if (text === '' && !bytes?.length && effect !== 'read') return NOTHING
  return READERS[parse](answer, card)
}

function excessOf(
  { text }: HttpAnswer,
  { card: { parse }, maxParsedBytes }: RestCircumstances,
): UnreadableBody | null {
  const isSlow = parse === 'csv' || parse === 'xml'
  if (!isSlow || text.length <= maxParsedBytes) return null
  return { ok: false, format: SLOW[parse], cutShort: false, isTooLarge: true }
}

const NOTHING: ReadBody = { ok: true, value: null }

/**
 * Checks whether the body or a rule of the upstream contradicts a status of success: some upstreams
 * report failures or partial results with 200. Applies only rules that name the status, so that most
 * successes need no rule at all.
 */
function contradiction(
  answer: HttpAnswer,
  body: unknown,
  circumstances: RestCircumstances,
): Read | null {
  const rules = rulesNaming(answer.status, circumstances.rules)
  const refused = readErrorDocument(body, circumstances.asked) !== null
  if (rules.length === 0 && !refused) return null
  const facts = factsOf(answer, body, circumstances)
  const rule = rules.find(candidate => candidate.matches(facts.ruleFacts))
  if (rule?.outcome.ok) return accepted(rule, body)
  return rule || refused ? { failure: classifyAnswer(facts, circumstances) } : null
}

function readFailure(answer: HttpAnswer, circumstances: RestCircumstances): Read {
  const json = readJson(answer.text)
  const body = json.ok ? json.value : answer.text
  const facts = factsOf(answer, body, circumstances)
  const rules = rulesFor(answer.status, circumstances.rules)
  const rule = rules.find(candidate => candidate.matches(facts.ruleFacts))
  return rule?.outcome.ok ? accepted(rule, body) : { failure: classifyAnswer(facts, circumstances) }
}

function accepted({ outcome }: FailureRule, body: unknown): Read {
  const message = outcome.message ?? 'The upstream left out some of the data.'
  return { body, warnings: outcome.partial ? [{ code: 'PARTIAL_RESULTS', message }] : [] }
}
