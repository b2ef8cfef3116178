import { hasValue } from '../../src/lib/has-value.ts'
import { isObject } from '../../src/lib/is-object.ts'
import type { ErrorCode, WriteOutcome } from '../../src/model/errors.ts'
import type { Failure } from '../../src/model/failure.ts'
import type { FailureFacts } from '../../src/model/failure-rule.ts'
import { decide, toldByService, withoutStatus } from '../failures/decide.ts'
import { afterAppliedWork, toFailure } from '../failures/failure.ts'
import { errorDetails } from '../failures/read/error-details.ts'
import { refusalVerdict } from '../failures/refusal.ts'
import { applyRules } from '../failures/rules.ts'
import { type Signal, type Signals, signal } from '../failures/signals.ts'
import { type Verdict, verdict } from '../failures/verdict.ts'
import { keysOf } from '../failures/vocabulary/code-words.ts'
import { readErrorDocument } from '../failures/vocabulary/error-document.ts'
import { verdictOfCodes } from '../failures/vocabulary/machine-code.ts'
import { foldSpelling } from '../failures/vocabulary/meaning.ts'
import {
  failureByRules,
  failureFromAnswer,
  generalVerdict,
  refusalOf,
} from '../http/judge/classify.ts'
import { withIntermediaries } from '../http/judge/intermediaries.ts'
import { unreadableVerdict } from '../http/judge/unreadable.ts'
import { type AnswerFacts, type Circumstances, masked } from '../http/read/answer-facts.ts'
import { readJson } from '../http/wire/json.ts'
import { waitForPoints } from './cost.ts'
import { type GraphqlBody, type GraphqlError, type PayloadErrors } from './errors.ts'

export interface GraphqlCircumstances extends Circumstances {
  readonly isMutation: boolean
  /** Whether the caller wrote the document. */
  readonly isCallersDocument: boolean
}

/** The card's document does not fit this server, which may be older or newer: another route may work. */
const MISFIT = verdict('ADAPTER_UNSUPPORTED')
/** The caller's own document does not fit this server. */
const CALLERS_FAULT = verdict('VALIDATION')
const BAD_DOCUMENT = verdict('VALIDATION', { fallback: true })

/** Codes about the document itself: those of GitHub (graphql-ruby), Apollo, graphql-java and common limits. */
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

/** Classifies an answer without a GraphQL body: from a proxy, or from an endpoint that is not GraphQL. */
export function classifyNonGraphql(facts: AnswerFacts, circumstances: Circumstances): Failure {
  return failureByRules(nonGraphqlVerdict(facts, circumstances), facts, circumstances)
}

function nonGraphqlVerdict(facts: AnswerFacts, circumstances: Circumstances): Verdict {
  const general = generalVerdict(facts, circumstances)
  const { status } = facts.answer
  // The GraphQL endpoint is missing, not the requested object.
  if (status === 404 || status === 410) return verdict('ADAPTER_UNSUPPORTED')
  if (status === 400 && general.code === 'VALIDATION') return BAD_DOCUMENT
  if (status >= 300) return general
  const json = readJson(facts.answer.text)
  // In GraphQL, a 200 does not confirm that a mutation was applied.
  if (!json.ok) {
    return { ...unreadableVerdict(facts.answer, json), writeOutcome: 'unknown' }
  }
  if (readErrorDocument(facts.body))
    return refusalVerdict(facts.signals, refusalOf(facts, circumstances))
  return verdictOfCodes(facts.ruleFacts.types) ?? verdict('OUTPUT_INVALID')
}

/** Classifies `data: null` without errors. */
export function classifyEmpty(facts: AnswerFacts, circumstances: Circumstances): Failure {
  const empty = verdict('OUTPUT_INVALID', { message: 'neither data nor errors' })
  return failureFromAnswer(empty, facts, circumstances)
}

/** Classifies the errors of an answer together: the first one with a known meaning decides. */
export function classifyErrors(
  graphql: GraphqlBody,
  facts: AnswerFacts,
  circumstances: GraphqlCircumstances,
): Failure {
  const verdicts = graphql.errors.map(error => judgeError(error, graphql, facts, circumstances))
  const index = Math.max(
    0,
    verdicts.findIndex(({ code }) => code !== 'UNKNOWN'),
  )
  const decisive = verdicts[index] ?? verdict('UNKNOWN')
  const together = { ...decisive, writeOutcome: worstOutcome(verdicts) }
  const failure = failureOfError(together, graphql.errors[index], graphql, facts, circumstances)
  const applied = circumstances.isMutation && somethingApplied(graphql)
  return applied ? afterAppliedWork(failure) : failure
}

function failureOfError(
  judged: Verdict,
  error: GraphqlError | undefined,
  { data, extensions }: GraphqlBody,
  { answer, body }: AnswerFacts,
  { upstream, secrets, now }: Circumstances,
): Failure {
  return toFailure(judged, {
    headers: answer.headers,
    body,
    message: `${upstream}: ${judged.message ?? error?.message ?? 'The query failed.'}`,
    details: {
      ...errorDetails([], error?.codes ?? [], answer.headers),
      ...(error?.path ? { path: error.path.join('.') } : {}),
      ...(judged.code === 'TIMEOUT' ? { reported_by: 'upstream' } : {}),
    },
    partial: hasValue(data),
    computedWait: judged.code === 'RATE_LIMIT' ? waitForPoints(extensions) : null,
    secrets,
    now,
  })
}

function judgeError(
  error: GraphqlError,
  graphql: GraphqlBody,
  { answer, body }: AnswerFacts,
  { rules, input, isCallersDocument }: GraphqlCircumstances,
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
  const judged = applyRules(
    facts,
    withIntermediaries(rules),
    errorVerdict(error, messages, graphql, { status: answer.status, body }),
  )
  return isCallersDocument && judged.code === 'ADAPTER_UNSUPPORTED' ? CALLERS_FAULT : judged
}

/** Judges by structure first: codes, then the status, then common phrases, then the error's location. */
function errorVerdict(
  error: GraphqlError,
  messages: readonly string[],
  { hasData }: GraphqlBody,
  { status, body }: { readonly status: number; readonly body: unknown },
): Verdict {
  const byCode = documentVerdict(error.codes)
  if (byCode) return byCode
  const exact = exactStatus(status, error, body)
  const signals: Signals = {
    status: exact,
    headers: {},
    codes: error.codes.map(code => signal(code, 'graphql error')),
    exit: null,
    messages,
  }
  const judged = exact ? decide(signals) : withoutStatus(signals)
  if (judged) return toldByService(judged)
  // Without data nothing was executed. With a location too, the server rejected the document.
  if (status >= 400 || (!hasData && error.hasLocation)) return BAD_DOCUMENT
  return verdict('UNKNOWN')
}

/** A status that says more than that the request failed: of the answer, or of the service behind the server. */
function exactStatus(status: number, error: GraphqlError, body: unknown): Signal<number> | null {
  if (status >= 400 && status !== 400 && status !== 422) return signal(status, 'status line')
  const told = error.status ?? readErrorDocument(body)?.status ?? null
  return told === null || told === 400 || told === 422 ? null : signal(told, 'graphql error')
}

function documentVerdict(codes: readonly string[]): Verdict | null {
  for (const code of codes) {
    const key = keysOf(code).find(word => DOCUMENT_CODES.has(word))
    if (key !== undefined) return DOCUMENT_CODES.get(key) ?? null
  }
  return null
}

/**
 * Whether a failed mutation applied something. The fields below a mutation run only after it succeeded,
 * and several mutations run independently, so this holds for an error below the root and for a sibling
 * that has data.
 */
function somethingApplied({ hasData, data, errors }: GraphqlBody): boolean {
  if (!hasData) return false
  const roots = new Set(errors.map(({ path }) => path?.[0]))
  const sibling =
    isObject(data) &&
    Object.entries(data).some(([name, value]) => !roots.has(name) && hasValue(value))
  return sibling || errors.some(({ path }) => path !== null && path.length > 1)
}

function worstOutcome(verdicts: readonly Verdict[]): WriteOutcome {
  return verdicts.some(({ writeOutcome }) => writeOutcome !== 'not_applied')
    ? 'unknown'
    : 'not_applied'
}

/** Classifies errors that a mutation returned as data. */
export function classifyPayload(
  errors: PayloadErrors,
  facts: AnswerFacts,
  circumstances: Circumstances,
): Failure {
  const messages = masked(errors.messages, circumstances.input)
  const ruleFacts = { ...facts.ruleFacts, messages, types: errors.codes }
  const judged = applyRules(
    ruleFacts,
    withIntermediaries(circumstances.rules),
    payloadVerdict(errors, messages),
  )
  return toFailure(judged, {
    headers: facts.answer.headers,
    body: null,
    message: `${circumstances.upstream}: ${errors.field}: ${errors.messages.join('; ')}`,
    details: errorDetails(errors.fields, errors.codes, facts.answer.headers),
    partial: errors.hasResult,
    secrets: circumstances.secrets,
    now: circumstances.now,
  })
}

/** Meanings that the codes and phrases of a payload error may have. Any other error is about the input. */
const PAYLOAD_MEANINGS: readonly ErrorCode[] = [
  'CONFLICT',
  'NOT_FOUND',
  'FORBIDDEN',
  'AUTH',
  'RATE_LIMIT',
]

function payloadVerdict({ codes, hasResult }: PayloadErrors, messages: readonly string[]): Verdict {
  const meaning = withoutStatus({
    status: null,
    headers: {},
    codes: codes.map(code => signal(code, 'graphql error')),
    exit: null,
    messages,
  })
  const judged =
    meaning && PAYLOAD_MEANINGS.includes(meaning.code) ? meaning : verdict('VALIDATION')
  // Some mutations return the object with their errors, and it may or may not have been changed.
  return hasResult ? { ...judged, writeOutcome: 'unknown' } : judged
}

function words(list: string, meaning: Verdict): (readonly [string, Verdict])[] {
  return list
    .trim()
    .split(/\s+/)
    .map(word => [foldSpelling(word), meaning] as const)
}
