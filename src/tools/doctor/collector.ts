import type { Environment } from '../../model/environment.ts'
import { collectorOf } from '../../observe/tracing/start.ts'
import { type Finding, ok, warn } from './finding.ts'

const TIMEOUT_MS = 5000

/** Of traces, where there is one. Any answer will do; nothing is sent of what the variables give it. */
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
    const fix =
      'Check OTEL_EXPORTER_OTLP_ENDPOINT, and that the collector can be reached from here.'
    return [warn('traces', `${origin} cannot be reached: ${reason}`, fix)]
  }
}
