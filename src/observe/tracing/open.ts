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
import { version } from '../../lib/version.ts'
import type { Environment } from '../../model/environment.ts'
import { beginRequestSpans } from './request-spans.ts'
import { createSampler } from './sampler.ts'

/** A collector that is away holds up the end of the gateway no longer than this. */
const FLUSH_MS = 2000

/**
 * Sends spans to a collector, many at once and beside the requests: what cannot be sent is dropped. The
 * exporter takes its address, headers and limits from the variables itself.
 */
export function openTracing(env: Environment, logger: Pick<Logger, 'warn'>): Tracing {
  const exporter = new ToldExporter(new OTLPTraceExporter(), logger)
  const provider = new TracerProvider({
    resource: describeService(),
    sampler: createSampler(env, logger),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('signalbox', version)
  return {
    begin: request => beginRequestSpans(tracer, request),
    [Symbol.asyncDispose]: () => withinTime(provider.shutdown()),
  }
}

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win over what is said here. */
function describeService() {
  const own = resourceFromAttributes({ 'service.name': 'signalbox', 'service.version': version })
  const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector]
  return defaultResource().merge(own).merge(detectResources({ detectors }))
}

/** Says in the log when spans begin to be lost, once until they arrive again. */
class ToldExporter implements SpanExporter {
  readonly #inner: SpanExporter
  readonly #logger: Pick<Logger, 'warn'>
  #failing = false

  constructor(inner: SpanExporter, logger: Pick<Logger, 'warn'>) {
    this.#inner = inner
    this.#logger = logger
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#inner.export(spans, result => {
      const failed = result.code === ExportResultCode.FAILED
      // Only its words: the rest of the error may hold what was sent, headers included.
      const reason = result.error?.message
      if (failed && !this.#failing) this.#logger.warn({ reason }, 'spans cannot be exported')
      this.#failing = failed
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

/** What has not been sent by then is lost; the log has said so. */
async function withinTime(work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, FLUSH_MS)
  try {
    await Promise.race([work, promise])
  } catch {
    // The exporter has told.
  } finally {
    clearTimeout(timer)
  }
}
