import type { Environment } from '../../model/environment.ts'
import { collectorOf } from '../../observe/tracing/start.ts'
import { type Finding, ok, warn } from './finding.ts'

const TIMEOUT_MS = 5000

/** Checks the trace collector, if one is set. Any answer is fine. Sends none of the configured headers. */
export async function checkCollector(env: Environment): Promise<readonly Finding[]> {
  const collector = collectorOf(env)
  if (!collector) return []
  const { origin } = collector
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const { status } = await fetch(origin, { method: 'HEAD', redirect: 'manual', signal })
    return [ok('traces', `${origin} answers (${status})`)]
  } catch (error) {
    const { cause, message } = error as Error
    const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? message
    const fix = 'Check OTEL_EXPORTER_OTLP_ENDPOINT, and that this machine can reach the collector.'
    return [warn('traces', `${origin} cannot be reached: ${reason}`, fix)]
  }
}
