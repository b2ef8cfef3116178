import { roundMs } from '../../src/lib/round-ms.ts'
import type { Meta } from '../../src/model/envelope.ts'

/** A request that runs no capability itself. */
interface OwnRequest {
  readonly id: string
  readonly correlationId?: string | undefined
  readonly traceId?: string | null
  /** By `performance.now()`. */
  readonly startedAt: number
}

/** `meta` of the answer to a request that runs no capability itself. */
export function ownMeta(
  { id, correlationId, traceId = null, startedAt }: OwnRequest,
  reason: Meta['reason'] = null,
): Meta {
  return {
    capability_id: null,
    request_id: id,
    ...(traceId === null ? {} : { trace_id: traceId }),
    ...(correlationId === undefined ? {} : { correlation_id: correlationId }),
    route_used: null,
    reason,
    attempts: [],
    duration_ms: roundMs(performance.now() - startedAt),
    warnings: [],
  }
}
