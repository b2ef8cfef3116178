import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Environment } from '../../model/environment.ts'

/** By OpenTelemetry's names. The SDK does not read these variables itself. */
const SAMPLERS: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: ratio => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: ratio =>
    new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

const DEFAULT = 'parentbased_always_on'

/** Chooses the requests to trace, according to OTEL_TRACES_SAMPLER and its argument. */
export function createSampler(env: Environment, logger: Pick<Logger, 'warn'>): Sampler {
  const name = env.OTEL_TRACES_SAMPLER || DEFAULT
  const make = SAMPLERS[name]
  if (!make) {
    const known = Object.keys(SAMPLERS).join(', ')
    logger.warn(`OTEL_TRACES_SAMPLER must be one of ${known}; using ${DEFAULT}`)
  }
  return (make ?? (() => new ParentBasedSampler({ root: new AlwaysOnSampler() })))(ratioOf(env))
}

/** 1, i.e. all requests, unless a valid ratio is given. */
function ratioOf({ OTEL_TRACES_SAMPLER_ARG: text }: Environment): number {
  const ratio = text ? Number(text) : 1
  return ratio >= 0 && ratio <= 1 ? ratio : 1
}
