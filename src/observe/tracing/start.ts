import type { Logger } from 'pino'
import type { Tracing } from '../../engine/spans.ts'
import type { OutageLog } from '../../lib/outage.ts'
import type { Environment } from '../../model/environment.ts'
import { SettingsError } from '../../model/settings-error.ts'

/** Each can name a collector. The first is for traces only and takes precedence. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']

/** Traces requests if a collector is configured, and loads the libraries only then. */
export async function startTracing(
  env: Environment,
  logger: Pick<Logger, 'warn'>,
  outage: OutageLog,
): Promise<Tracing | null> {
  if (collectorOf(env) === null) return null
  const { openTracing } = await import('./open.ts')
  return openTracing(env, logger, outage)
}

/**
 * The collector that OpenTelemetry's variables name; null if they name none, or turn tracing off.
 * @throws {SettingsError} if its address is invalid.
 */
export function collectorOf(env: Environment): URL | null {
  const variable = ENDPOINTS.find(name => env[name])
  if (variable === undefined || isOff(env)) return null
  const address = env[variable] ?? ''
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return new URL(address)
  throw new SettingsError(
    `${variable} is not usable: it must be a URL, such as http://127.0.0.1:4318.`,
  )
}

function isOff({ OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER }: Environment): boolean {
  return OTEL_SDK_DISABLED?.toLowerCase() === 'true' || OTEL_TRACES_EXPORTER === 'none'
}
