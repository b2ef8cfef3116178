import { hasValue } from '../../src/lib/has-value.ts'
import { shorten } from '../../src/lib/text.ts'
import type { Failure } from '../../src/model/failure.ts'
import type { Reply } from '../../src/model/reply.ts'
import type { Warning } from '../../src/model/warnings.ts'
import { factsOf } from '../http/read/answer-facts.ts'
import { exchangeOf } from '../http/read/exchange.ts'
import { type HttpAnswer, isSuccessStatus } from '../http/wire/answer.ts'
import { readJson } from '../http/wire/json.ts'
import {
  classifyEmpty,
  classifyErrors,
  classifyNonGraphql,
  classifyPayload,
  type GraphqlCircumstances,
} from './classify.ts'
import { quotaInData } from './cost.ts'
import { type GraphqlBody, payloadErrors, readGraphqlBody } from './errors.ts'

/**
 * Turns an answer into a reply. Judges status and body together, because a 200 may be a failure and a
 * 502 may hold GraphQL errors.
 * @param body the call's part of the answer to a merged query. @default the whole body
 */
export function readGraphqlReply(
  answer: HttpAnswer,
  circumstances: GraphqlCircumstances,
  body: unknown = parseBody(answer),
): Reply {
  const graphql = readGraphqlBody(body)
  const headers = exchangeOf(answer, circumstances.now)
  const exchange = { ...headers, quota: quotaInData(graphql?.data) ?? headers.quota }
  const failed = failureOf(answer, body, graphql, circumstances)
  if (failed && !(failed.partial && graphql && isUsable(answer, graphql))) {
    return { ok: false, failure: failed, exchange }
  }
  return {
    ok: true,
    body: graphql?.data,
    status: answer.status,
    headers: answer.headers,
    warnings: graphql ? warningsOf(graphql, failed) : [],
    partialFailure: failed,
    exchange,
  }
}

function parseBody({ text }: HttpAnswer): unknown {
  const json = readJson(text)
  return json.ok ? json.value : text
}

function failureOf(
  answer: HttpAnswer,
  body: unknown,
  graphql: GraphqlBody | null,
  circumstances: GraphqlCircumstances,
): Failure | null {
  const facts = () => factsOf(answer, body, circumstances)
  if (!graphql) return classifyNonGraphql(facts(), circumstances)
  if (graphql.errors.length > 0) return classifyErrors(graphql, facts(), circumstances)
  if (!isSuccessStatus(answer.status)) return classifyNonGraphql(facts(), circumstances)
  if (graphql.data === null) return classifyEmpty(facts(), circumstances)
  const payload = circumstances.isMutation ? payloadErrors(graphql.data) : null
  return payload && classifyPayload(payload, facts(), circumstances)
}

/** Whether data that came with errors may be enough for the card; its output schema decides later. */
function isUsable({ status }: HttpAnswer, { data }: GraphqlBody): boolean {
  return isSuccessStatus(status) && hasValue(data)
}

const MAX_WARNINGS = 20
const MAX_WARNING = 300

function warningsOf({ errors }: GraphqlBody, failure: Failure | null): Warning[] {
  if (!failure) return []
  return errors.slice(0, MAX_WARNINGS).map(({ message, path }) => ({
    code: 'PARTIAL_RESULTS',
    message: shorten(message, MAX_WARNING),
    ...(path ? { path: path.join('.') } : {}),
    details: { code: failure.code },
  }))
}
