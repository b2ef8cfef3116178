import { randomUUID } from 'node:crypto'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Tracing } from '../../engine/spans.ts'
import { type OutageLog, OutageWatch } from '../../lib/outage.ts'
import { version } from '../../lib/version.ts'
import { within } from '../../lib/within.ts'
import type { Environment } from '../../model/environment.ts'
import { OwnTraceIds } from './own-trace-ids.ts'
import { beginRequestSpans } from './request-spans.ts'
import { createSampler } from './sampler.ts'

/** An unreachable collector delays the gateway's shutdown no longer than this. */
const FLUSH_MS = 2000

/**
 * Sends spans to a collector, in batches and in the background; drops those that cannot be sent. The exporter reads its
 * address, headers and limits from OpenTelemetry's variables.
 */
export function openTracing(
  env: Environment,
  logger: Pick<Logger, 'warn'>,
  outage: OutageLog,
): Tracing {
  const exporter = new WatchedExporter(new OTLPTraceExporter(), outage)
  const ids = new OwnTraceIds()
  const provider = new TracerProvider({
    idGenerator: ids,
    resource: describeService(),
    sampler: createSampler(env, logger),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('signalbox', version)
  return {
    begin: request => beginRequestSpans(tracer, ids, request),
    [Symbol.asyncDispose]: () => shutDown(provider),
  }
}

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override these values. */
function describeService() {
  const own = resourceFromAttributes({
    'service.name': 'signalbox',
    'service.version': version,
    'service.instance.id': randomUUID(),
  })
  const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector]
  return defaultResource().merge(own).merge(detectResources({ detectors }))
}

/** Reports when exports begin to fail, and when they work again. */
class WatchedExporter implements SpanExporter {
  readonly #inner: SpanExporter
  readonly #outage: OutageWatch

  constructor(inner: SpanExporter, outage: OutageLog) {
    this.#inner = inner
    this.#outage = new OutageWatch(outage)
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#inner.export(spans, result => {
      // Only the message is logged: the error itself may contain the exported data and its headers.
      if (result.code === ExportResultCode.FAILED) this.#outage.failed(result.error ?? 'unknown')
      else this.#outage.works()
      done(result)
    })
  }

  async forceFlush(): Promise<void> {
    await this.#inner.forceFlush?.()
  }

  shutdown(): Promise<void> {
    return this.#inner.shutdown()
  }
}

/** Sends the remaining spans; drops them if the collector is too slow. */
async function shutDown(provider: TracerProvider): Promise<void> {
  try {
    await within(provider.shutdown(), FLUSH_MS, 'the collector did not answer in time')
  } catch {
    // The exporter has logged the failure.
  }
}
