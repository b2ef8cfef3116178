import type { ErrorCode, WriteOutcome } from '../../src/model/errors.ts'
import type { Failure } from '../../src/model/failure.ts'
import type { FailureFacts } from '../../src/model/failure-rule.ts'
import { answerFailure, generalVerdict, judge } from '../http/judge/classify.ts'
import { afterAppliedWork, toFailure } from '../http/judge/failure.ts'
import { meaningOfFirst, normalize } from '../http/judge/machine-codes.ts'
import { verdictOfStatus } from '../http/judge/status.ts'
import { unreadableVerdict } from '../http/judge/unreadable.ts'
import { type Verdict, verdict } from '../http/judge/verdict.ts'
import { type AnswerFacts, type Circumstances, masked } from '../http/read/answer-facts.ts'
import { errorDetails } from '../http/read/error-details.ts'
import { readJson } from '../http/wire/json.ts'
import { waitForPoints } from './cost.ts'
import {
  type GraphqlBody,
  type GraphqlError,
  hasValue,
  isObject,
  type PayloadErrors,
} from './errors.ts'
import { meaningOfWords } from './untyped.ts'

/** What the judgement of a GraphQL answer needs beside its facts. */
export interface GraphqlCircumstances extends Circumstances {
  readonly isMutation: boolean
  readonly isCallers: boolean
}

/** Our document does not fit this server, which may be older or newer: another route does better. */
const MISFIT = verdict('ADAPTER_UNSUPPORTED')
/** The same of a document that the caller wrote. */
const CALLERS_FAULT = verdict('VALIDATION')
const BAD_DOCUMENT = verdict('VALIDATION', { fallback: true })

/** Codes about the document itself: GitHub's (graphql-ruby), Apollo's, graphql-java's and the usual limits. */
const DOCUMENT_CODES: ReadonlyMap<string, Verdict> = new Map([
  ...words(
    `undefinedField undefinedType undefinedDirective undefinedFragment argumentNotAccepted
    fragmentOnNonCompositeType selectionMismatch cannotQueryField PERSISTED_QUERY_NOT_FOUND
    PERSISTED_QUERY_NOT_SUPPORTED PERSISTED_QUERY_ID_REQUIRED PersistedQueryNotFound
    PersistedQueryNotSupported FIELD_NOT_FOUND FieldUndefined OPERATION_NOT_FOUND NOT_IMPLEMENTED
    INTROSPECTION_DISABLED DEPRECATED`,
    MISFIT,
  ),
  ...words(
    `missingRequiredArguments missingRequiredInputObjectAttribute argumentLiteralsIncompatible
    fieldConflict variableMismatch variableNotDefined variableNotUsed GRAPHQL_PARSE_FAILED
    GRAPHQL_VALIDATION_FAILED OPERATION_RESOLUTION_FAILURE InvalidSyntax parse-failed
    validation-failed MAX_NODE_LIMIT_EXCEEDED NODE_LIMIT_EXCEEDED RESOURCE_LIMITS_EXCEEDED
    MAX_QUERY_COST_EXCEEDED MAX_COST_EXCEEDED QUERY_COST_EXCEEDED COST_LIMIT_EXCEEDED
    MAX_COMPLEXITY_EXCEEDED COMPLEXITY_LIMIT_EXCEEDED QUERY_TOO_COMPLEX QUERY_COMPLEXITY
    OPERATION_TOO_COMPLEX COST_ESTIMATED_TOO_EXPENSIVE MAX_DEPTH_EXCEEDED DEPTH_LIMIT_EXCEEDED QUERY_TOO_DEEP QUERY_DEPTH EXCESSIVE_PAGINATION
    PAGINATION_BOUNDARIES_EXCEEDED MISSING_PAGINATION_BOUNDARIES`,
    BAD_DOCUMENT,
  ),
])

/** An answer without a GraphQL body: something in front of the server, or no GraphQL endpoint. */
export function classifyForeign(facts: AnswerFacts, circumstances: Circumstances): Failure {
  const general = foreignVerdict(facts, circumstances)
  return answerFailure(judge(facts.rule, circumstances.rules, general), facts, circumstances)
}

function foreignVerdict(facts: AnswerFacts, circumstances: Circumstances): Verdict {
  const general = generalVerdict(facts, circumstances)
  const { status } = facts.answer
  // The endpoint is missing, not the thing that was asked for.
  if (status === 404 || status === 410) return verdict('ADAPTER_UNSUPPORTED')
  if (status === 400 && general.code === 'VALIDATION') return BAD_DOCUMENT
  if (status >= 300) return general
  const json = readJson(facts.answer.text)
  // GraphQL's 200 promises nothing about what was done.
  if (!json.ok)
    return { ...unreadableVerdict(facts.answer, json.cutShort), writeOutcome: 'unknown' }
  return meaningOfFirst(facts.rule.types) ?? verdict('OUTPUT_INVALID')
}

/** `data: null` without a word of why. */
export function classifyEmpty(facts: AnswerFacts, circumstances: Circumstances): Failure {
  const empty = verdict('OUTPUT_INVALID', { message: 'neither data nor errors came' })
  return answerFailure(empty, facts, circumstances)
}

/** What the errors of an answer mean together. */
export function classifyErrors(
  graphql: GraphqlBody,
  facts: AnswerFacts,
  circumstances: GraphqlCircumstances,
): Failure {
  const judged = graphql.errors
    .map(error => judgeError(error, graphql, facts, circumstances))
    .map(it => (circumstances.isCallers && it.code === 'ADAPTER_UNSUPPORTED' ? CALLERS_FAULT : it))
  const index = Math.max(
    0,
    judged.findIndex(({ code }) => code !== 'UNKNOWN'),
  )
  const decisive = judged[index] ?? verdict('UNKNOWN')
  const error = graphql.errors[index]
  const whole = { ...decisive, writeOutcome: worst(judged) }
  const failure = toFailure(whole, {
    headers: facts.answer.headers,
    body: facts.body,
    words: `${circumstances.upstream}: ${whole.message ?? error?.message ?? 'The query failed.'}`,
    details: {
      ...errorDetails([], error?.codes ?? [], facts.answer.headers),
      ...(error?.path ? { path: error.path.join('.') } : {}),
    },
    partial: hasValue(graphql.data),
    computedWait: whole.code === 'RATE_LIMIT' ? waitForPoints(graphql.extensions) : null,
    secrets: circumstances.secrets,
    now: circumstances.now,
  })
  const applied = circumstances.isMutation && somethingApplied(graphql)
  return applied ? afterAppliedWork(failure) : failure
}

function judgeError(
  error: GraphqlError,
  graphql: GraphqlBody,
  { answer, body }: AnswerFacts,
  { rules, input }: Circumstances,
): Verdict {
  const messages = masked([error.message], input)
  const facts: FailureFacts = {
    route: 'graphql',
    status: answer.status,
    headers: answer.headers,
    body,
    messages,
    types: error.codes,
    exitCode: null,
    stderr: '',
  }
  return judge(facts, rules, errorVerdict(error, messages, graphql, answer.status))
}

/** Structure first: codes, then the status, then the words that any server uses, then where the error stands. */
function errorVerdict(
  error: GraphqlError,
  messages: readonly string[],
  { hasData }: GraphqlBody,
  status: number,
): Verdict {
  const byCode = codeVerdict(error.codes)
  if (byCode) return byCode
  if (status >= 400 && status !== 400 && status !== 422) return verdictOfStatus(status, {})
  const said = meaningOfWords(messages)
  if (said) return said
  // Without data nothing was executed; with a location, the document is what was refused.
  if (status >= 400 || (!hasData && error.hasLocation)) return BAD_DOCUMENT
  return verdict('UNKNOWN')
}

function codeVerdict(codes: readonly string[]): Verdict | null {
  for (const code of codes) {
    const known = DOCUMENT_CODES.get(normalize(code))
    if (known) return known
  }
  return meaningOfFirst(codes)
}

/**
 * The fields below a mutation run only after it has succeeded, and of several mutations each runs by
 * itself: an error deeper than the root, or a sibling with data, means that something was done.
 */
function somethingApplied({ hasData, data, errors }: GraphqlBody): boolean {
  if (!hasData) return false
  const roots = new Set(errors.map(({ path }) => path?.[0]))
  const sibling =
    isObject(data) &&
    Object.entries(data).some(([name, value]) => !roots.has(name) && hasValue(value))
  return sibling || errors.some(({ path }) => path !== null && path.length > 1)
}

function worst(judged: readonly Verdict[]): WriteOutcome {
  return judged.some(({ writeOutcome }) => writeOutcome !== 'not_applied')
    ? 'unknown'
    : 'not_applied'
}

/** Errors that a mutation gave as its result. */
export function classifyPayload(
  errors: PayloadErrors,
  facts: AnswerFacts,
  circumstances: Circumstances,
): Failure {
  const messages = masked(errors.messages, circumstances.input)
  const general = payloadVerdict(errors, messages)
  const rule = { ...facts.rule, messages, types: errors.codes }
  const judged = judge(rule, circumstances.rules, general)
  return toFailure(judged, {
    headers: facts.answer.headers,
    body: null,
    words: `${circumstances.upstream}: ${errors.field}: ${errors.messages.join('; ')}`,
    details: errorDetails(errors.fields, errors.codes, facts.answer.headers),
    partial: errors.hasResult,
    secrets: circumstances.secrets,
    now: circumstances.now,
  })
}

/** Refusals that may be told apart by words; a mutation that reports an error is otherwise about its input. */
const PAYLOAD_MEANINGS: readonly ErrorCode[] = [
  'CONFLICT',
  'NOT_FOUND',
  'FORBIDDEN',
  'AUTH',
  'RATE_LIMIT',
]

function payloadVerdict({ codes, hasResult }: PayloadErrors, messages: readonly string[]): Verdict {
  const meaning = meaningOfFirst(codes) ?? meaningOfWords(messages)
  const judged =
    meaning && PAYLOAD_MEANINGS.includes(meaning.code) ? meaning : verdict('VALIDATION')
  // Some mutations return the thing with their errors, changed or unchanged: that cannot be told.
  return hasResult ? { ...judged, writeOutcome: 'unknown' } : judged
}

function words(list: string, meaning: Verdict): (readonly [string, Verdict])[] {
  return list
    .trim()
    .split(/\s+/)
    .map(word => [normalize(word), meaning] as const)
}
