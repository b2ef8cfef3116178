import type { RequestRecord } from '../journal/journal.ts'

/** The part of a logger that it writes to. */
interface InfoLog {
  info(line: object, message: string): void
}

/** Logs a line for each call within a batch or a message of MCP: the line of the request itself names none of them. */
export function logCalls(log: InfoLog): (finished: RequestRecord) => void {
  return ({ request_id, caller, capability_id, http_status, envelope, isPart = false }) => {
    if (!isPart) return
    const { error, meta } = envelope
    // pino omits undefined members.
    log.info(
      {
        request_id,
        trace_id: meta.trace_id,
        correlation_id: meta.correlation_id,
        batch_id: meta.batch_id,
        batch_step: meta.batch_step,
        batch_item: meta.batch_item,
        status: http_status,
        caller,
        capability: capability_id ?? undefined,
        code: error?.code,
        route: meta.route_used ?? undefined,
        duration_ms: meta.duration_ms,
      },
      meta.batch_id === undefined ? 'call' : 'batch call',
    )
  }
}
