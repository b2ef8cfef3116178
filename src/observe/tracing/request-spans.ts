import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import type { RequestSpans, TracedRequest } from '../../engine/spans.ts'
import type { RequestRecord } from '../../journal/journal.ts'
import type { SentRequest } from '../../model/adapter.ts'
import { outcomeOf } from '../../model/attempt-outcome.ts'
import type { Attempt } from '../../model/envelope.ts'
import { ownTraceId } from '../../model/trace-context.ts'
import type { OwnTraceIds } from './own-trace-ids.ts'
import { safeUrl } from './safe-url.ts'

const ENDPOINT = '/v1/capabilities/{id}'

interface OpenSpan {
  readonly span: Span
  /** Epoch milliseconds. */
  readonly start: number
  /** The attributes of the HTTP request; empty without one. */
  request: Attributes
}

/**
 * One span of the kind `server` for the request, and below it one of the kind `client` for each attempt. Attributes come
 * from the record: names, codes, numbers and times, but no input, data or message.
 */
export function beginRequestSpans(
  tracer: Tracer,
  ids: OwnTraceIds,
  { time, traceparent, requestId }: TracedRequest,
): RequestSpans {
  const options = { kind: SpanKind.SERVER, startTime: time }
  const server = ids.during(ownTraceId(requestId), () =>
    tracer.startSpan(`POST ${ENDPOINT}`, options, contextOf(traceparent)),
  )
  const context = trace.setSpan(ROOT_CONTEXT, server)
  const attempts: OpenSpan[] = []
  return {
    traceId: server.spanContext().traceId,
    beginAttempt(upstream, route, startedMs) {
      const start = time + startedMs
      const options = { kind: SpanKind.CLIENT, startTime: start }
      const span = tracer.startSpan(`${upstream} ${route}`, options, context)
      const open: OpenSpan = { span, start, request: {} }
      attempts.push(open)
      return {
        traceparent: formatTraceparent(span),
        sent(request, secrets) {
          if (span.isRecording()) open.request = describeSent(request, secrets)
        },
      }
    },
    end(finished) {
      // The sampler did not choose this request: skip the work.
      if (!server.isRecording()) return
      const until = time + finished.envelope.meta.duration_ms
      endAttempts(server, attempts, finished, until)
      server.setAttributes(describeRequest(finished))
      if (finished.http_status >= 500) server.setStatus({ code: SpanStatusCode.ERROR })
      server.end(until)
    },
  }
}

/** An invalid `traceparent` is ignored: the request begins a trace of its own. */
function contextOf(traceparent: string | null) {
  const parent = traceparent === null ? null : parseTraceParent(traceparent)
  if (!parent) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true })
}

function formatTraceparent(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/**
 * Attempts run one after the other, so the record lists those that ran in the order of the spans. It lacks an attempt
 * that the request did not wait for.
 */
function endAttempts(
  server: Span,
  open: readonly OpenSpan[],
  { envelope, upstream, answerFrom }: RequestRecord,
  until: number,
): void {
  const remaining = open.values()
  let at = open[0]?.start ?? until
  for (const attempt of answerFrom?.borrowed ? [] : envelope.meta.attempts) {
    if (attempt.status === 'skipped') {
      server.addEvent('route skipped', describeSkipped(attempt), at)
      continue
    }
    const { value } = remaining.next()
    if (!value) break
    at = endAttempt(value, attempt, upstream)
  }
  for (const { span, start, request } of remaining) {
    span.setAttributes({ ...request, 'signalbox.outcome': 'abandoned' })
    span.end(Math.max(start, until))
  }
}

function endAttempt(
  { span, start, request }: OpenSpan,
  attempt: Attempt,
  upstream: string | null,
): number {
  const end = start + (attempt.duration_ms ?? 0)
  span.setAttributes({
    ...request,
    ...resendsOf(attempt, request),
    'signalbox.route': attempt.route,
    'signalbox.outcome': outcomeOf(attempt),
    ...given('signalbox.upstream', upstream),
    ...given('signalbox.retry', attempt.retry),
    ...given('signalbox.next', attempt.next),
    ...given('signalbox.purpose', attempt.purpose),
    ...given('signalbox.capability', attempt.capability_id),
    ...given('signalbox.upstream_requests', attempt.upstream_requests),
    ...given('signalbox.upstream_request_id', attempt.upstream_request_id),
    ...given('http.response.status_code', attempt.upstream_status),
    ...given('error.type', attempt.error_code),
  })
  if (attempt.status === 'error') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(end)
  return end
}

/** The attributes of the semantic conventions for HTTP clients. */
function describeSent(request: SentRequest, secrets: readonly string[]): Attributes {
  const url = safeUrl(request, secrets)
  if (url === null) return {}
  return {
    'http.request.method': request.method,
    'url.full': url.href,
    'server.address': url.hostname,
    'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
  }
}

function resendsOf({ retry = 0 }: Attempt, request: Attributes): Attributes {
  const isHttp = request['http.request.method'] !== undefined
  return isHttp && retry > 0 ? { 'http.request.resend_count': retry } : {}
}

function describeRequest(finished: RequestRecord): Attributes {
  const { error, meta } = finished.envelope
  return {
    'http.request.method': 'POST',
    'http.route': ENDPOINT,
    'http.response.status_code': finished.http_status,
    'signalbox.request_id': finished.request_id,
    ...given('signalbox.correlation_id', meta.correlation_id),
    'signalbox.caller': finished.caller,
    'signalbox.code': error?.code ?? 'ok',
    ...given('signalbox.capability', finished.capability_id),
    ...given('signalbox.upstream', finished.upstream),
    ...given('signalbox.route_used', meta.route_used),
    ...given('signalbox.reason', meta.reason),
    ...given('signalbox.write_outcome', error?.write_outcome),
    ...given('error.type', error?.code),
  }
}

function describeSkipped({ route, reason, error_code }: Attempt): Attributes {
  return {
    'signalbox.route': route,
    ...given('signalbox.reason', reason),
    ...given('signalbox.code', error_code),
  }
}

function given(name: string, value: string | number | null | undefined): Attributes {
  return value == null ? {} : { [name]: value }
}
