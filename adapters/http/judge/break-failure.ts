import { OverloadedError } from '../../../src/lib/slots.ts'
import { type Failure, fullFailure, overloadFailure } from '../../../src/model/failure.ts'
import type { Effect } from '../../../src/model/route.ts'
import { toFailure } from '../../failures/failure.ts'
import { afterSuccess } from '../../failures/progress.ts'
import { type HttpBreak, isSuccessStatus } from '../wire/answer.ts'
import { GatewayFullError } from '../wire/collector.ts'
import { classifyBreak } from './transport.ts'

/** Makes the failure for an exchange that broke. Its message is the gateway's own. */
export function breakFailure(
  broken: HttpBreak,
  upstream: string,
  now: number,
  effect: Effect = 'read',
): Failure {
  if (broken.error instanceof OverloadedError) {
    return overloadFailure(`Too many calls are waiting for ${upstream}; this one was not made.`)
  }
  if (broken.error instanceof GatewayFullError) return fullFailure()
  const judged = classifyBreak(broken)
  const isSuccess = broken.status !== null && isSuccessStatus(broken.status)
  const verdict = isSuccess ? afterSuccess(judged, effect) : judged
  const code = codeOf(broken.error)
  return toFailure(verdict, {
    headers: broken.headers,
    body: null,
    message: `${upstream}: ${verdict.message ?? 'The request failed.'}`,
    details: code === null ? {} : { network_code: code },
    secrets: [],
    now,
  })
}

/** The innermost machine-readable code, e.g. ECONNREFUSED. */
function codeOf(error: unknown): string | null {
  let code: string | null = null
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') code = at.code
  }
  return code
}
