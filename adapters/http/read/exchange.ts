import type { Exchange } from '../../../src/model/reply.ts'
import { readQuota } from '../../failures/read/quota.ts'
import type { HttpResult } from '../wire/answer.ts'

/** Headers with the id by which an upstream's operators find a request in their logs. */
const REQUEST_ID_HEADERS = [
  'x-github-request-id',
  'x-request-id',
  'x-amzn-requestid',
  'x-amz-request-id',
  'x-ms-request-id',
  'x-correlation-id',
  'request-id',
  'cf-ray',
]

export function exchangeOf(result: HttpResult, now: number): Exchange {
  const { headers } = result
  const idHeader = REQUEST_ID_HEADERS.find(name => headers[name] !== undefined)
  return {
    upstreamStatus: result.status,
    upstreamRequestId: idHeader === undefined ? null : (headers[idHeader] ?? null),
    upstreamRequests: result.requests,
    quota: readQuota(headers, now),
  }
}
