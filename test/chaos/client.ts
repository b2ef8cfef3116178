import type { RequestDetail } from '../../src/journal/row-schemas.ts'
import type { Envelope } from '../../src/model/envelope.ts'
import type { Call } from './schedule.ts'

/** An answer of the gateway in the default dialect. */
export interface Answer {
  readonly status: number
  readonly replayed: boolean
  readonly envelope: Envelope
}

/** How long to wait after the deadline, even on a busy machine, before giving up on an answer. */
const GIVE_UP_MS = 30_000

export interface CallRequest {
  readonly input: object
  readonly requestId: string
  /** The Idempotency-Key, if any. */
  readonly key: string | null
}

/** An answer in any dialect. */
export interface AnyAnswer {
  readonly status: number
  readonly replayed: boolean
  readonly body: unknown
}

/** Makes a call, and hangs up when the schedule says so. Returns null if there was no answer. */
export async function callGateway(
  url: string,
  { capability, pin, timeoutMs, leavesAfterMs, agent }: Call,
  { input, requestId, key }: CallRequest,
): Promise<AnyAnswer | null> {
  const query = new URLSearchParams({
    timeout_ms: String(timeoutMs),
    ...(pin === null ? {} : { route: pin }),
    ...(agent === null ? {} : { profile: agent }),
  })
  try {
    const response = await fetch(`${url}/v1/capabilities/${capability}?${query.toString()}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': requestId,
        ...(key === null ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(leavesAfterMs ?? timeoutMs + GIVE_UP_MS),
    })
    return {
      status: response.status,
      replayed: response.headers.get('idempotent-replayed') === 'true',
      body: await response.json(),
    }
  } catch {
    return null
  }
}

const POLL_MS = 20

/**
 * Waits for the journal's record of a request. Returns null after `patienceMs`, extended by the time
 * in which the machine did not run this process.
 */
export async function readRecord(
  url: string,
  requestId: string,
  patienceMs: number,
  lostMs: () => number,
): Promise<RequestDetail | null> {
  const began = performance.now()
  for (;;) {
    const data = await findRecord(url, requestId)
    if (data !== null || performance.now() >= began + patienceMs + lostMs()) return data
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
}

/** Throws if the journal has more than one record of the call. */
async function findRecord(url: string, correlationId: string): Promise<RequestDetail | null> {
  const list = await fetch(`${url}/v1/requests?correlation_id=${encodeURIComponent(correlationId)}`)
  const { data } = (await list.json()) as { data: { items: RequestDetail[] } | null }
  const ids = (data?.items ?? []).map(({ request_id }) => request_id)
  if (ids.length > 1) throw new Error(`${correlationId} is in the journal as ${ids.join()}`)
  if (ids.length === 0) return null
  const detail = await fetch(`${url}/v1/requests/${ids[0]}`)
  return ((await detail.json()) as { data: RequestDetail | null }).data
}
