import type { RequestRow } from '../journal/row-schemas.ts'
import { isObject } from '../lib/is-object.ts'
import type { JournalHealth, SharedHealth } from '../model/health.ts'
import type { UpstreamStatus } from '../observe/upstream-status.ts'
import { type GatewayAnswer, type GatewayClient, GatewayUnreachable } from './gateway-client.ts'
import { readSamples } from './read-samples.ts'

/** The state of a running gateway. A part is null where the key may not read it. */
export interface GatewayStatus {
  readonly url: string
  readonly ready: boolean
  /** `ready`, `degraded`, or the message of a gateway that is not ready. */
  readonly status: string
  readonly version: string | null
  readonly started_at: string | null
  readonly uptime_ms: number | null
  readonly calls_in_flight: number | null
  readonly journal: JournalHealth | null
  readonly keys: SharedHealth | null
  /** Null also for a gateway that shares no state. */
  readonly state: SharedHealth | null
  readonly approvals_waiting: number | null
  readonly upstreams: readonly UpstreamStatus[] | null
  readonly failures: readonly RequestRow[] | null
}

const MOST_FAILURES = 5
const MOST_APPROVALS = 200

/** @throws {GatewayUnreachable} also if the key is refused */
export async function readStatus(client: GatewayClient, now: number): Promise<GatewayStatus> {
  const ready = await client.get('/readyz')
  const [metrics, approvals, upstreams, failures] = await Promise.all([
    client.get('/metrics'),
    client.get(`/v1/approvals?status=waiting&limit=${MOST_APPROVALS}`),
    client.get('/v1/upstreams'),
    client.get(`/v1/requests?ok=false&limit=${MOST_FAILURES}`),
  ])
  const health = (ready.data ?? {}) as Partial<Health>
  return {
    url: client.url,
    ready: ready.error === null,
    status: health.status ?? ready.error?.message ?? 'unknown',
    ...processOf(shown(client, metrics), now),
    journal: health.journal ?? null,
    keys: health.keys ?? null,
    state: health.state ?? null,
    approvals_waiting: listOf(shown(client, approvals))?.length ?? null,
    upstreams: listOf(shown(client, upstreams)) as readonly UpstreamStatus[] | null,
    failures: listOf(shown(client, failures)) as readonly RequestRow[] | null,
  }
}

interface Health {
  readonly status: string
  readonly journal: JournalHealth
  readonly keys: SharedHealth
  readonly state: SharedHealth | null
}

/** The answer, or null where the key may not read it or the gateway cannot read it now. */
function shown({ url }: GatewayClient, answer: GatewayAnswer): GatewayAnswer | null {
  if (answer.error === null) return answer
  if (answer.status !== 401) return null
  throw new GatewayUnreachable(`the gateway at ${url} refuses the key: ${answer.error.message}`)
}

function listOf(answer: GatewayAnswer | null): readonly unknown[] | null {
  if (answer === null || !isObject(answer.data)) return null
  const { items } = answer.data
  return Array.isArray(items) ? items : null
}

function processOf(metrics: GatewayAnswer | null, now: number) {
  const samples = readSamples(metrics?.text ?? '')
  const valueOf = (name: string) => samples.get(name)?.value ?? null
  return {
    version: samples.get('signalbox_build_info')?.labels.version ?? null,
    ...ageOf(valueOf('process_start_time_seconds'), now),
    calls_in_flight: valueOf('signalbox_requests_in_flight'),
  }
}

/** @param started as Unix time; null if the key may not know */
function ageOf(started: number | null, now: number) {
  if (started === null) return { started_at: null, uptime_ms: null }
  const time = started * 1000
  return {
    started_at: new Date(time).toISOString(),
    uptime_ms: Math.max(0, Math.round(now - time)),
  }
}
