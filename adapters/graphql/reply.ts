import type { Failure } from '../../src/model/failure.ts'
import type { Reply } from '../../src/model/reply.ts'
import type { Warning } from '../../src/model/warnings.ts'
import { exchangeOf } from '../http/judge/failure.ts'
import { factsOf } from '../http/read/answer-facts.ts'
import type { HttpAnswer } from '../http/wire/answer.ts'
import { readJson } from '../http/wire/json.ts'
import {
  classifyEmpty,
  classifyErrors,
  classifyForeign,
  classifyPayload,
  type GraphqlCircumstances,
} from './classify.ts'
import { quotaInData } from './cost.ts'
import { type GraphqlBody, hasValue, payloadErrors, readGraphqlBody } from './errors.ts'

/**
 * Turns an answer into a reply. Status and body are read together: 200 may be a failure, 502 may hold errors.
 * @param body the part that is meant, of an answer for several.
 */
export function readReply(
  answer: HttpAnswer,
  circumstances: GraphqlCircumstances,
  body: unknown = readBody(answer),
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

function readBody({ text }: HttpAnswer): unknown {
  const json = readJson(text)
  return json.ok ? json.value : text
}

function failureOf(
  answer: HttpAnswer,
  body: unknown,
  graphql: GraphqlBody | null,
  circumstances: GraphqlCircumstances,
): Failure | null {
  const good = answer.status >= 200 && answer.status < 300
  if (good && graphql && graphql.errors.length === 0 && graphql.data !== null) {
    const payload = circumstances.isMutation ? payloadErrors(graphql.data) : null
    return payload && classifyPayload(payload, factsOf(answer, body, circumstances), circumstances)
  }
  const facts = factsOf(answer, body, circumstances)
  if (!graphql || (!good && graphql.errors.length === 0))
    return classifyForeign(facts, circumstances)
  return graphql.errors.length === 0
    ? classifyEmpty(facts, circumstances)
    : classifyErrors(graphql, facts, circumstances)
}

/** Whether data that came with errors may still satisfy the card; its output schema has the last word. */
function isUsable({ status }: HttpAnswer, { data }: GraphqlBody): boolean {
  return status >= 200 && status < 300 && hasValue(data)
}

function warningsOf({ errors }: GraphqlBody, failure: Failure | null): Warning[] {
  if (!failure) return []
  return errors.map(({ message, path }) => ({
    code: 'PARTIAL_RESULTS',
    message,
    ...(path ? { path: path.join('.') } : {}),
    details: { code: failure.code },
  }))
}
