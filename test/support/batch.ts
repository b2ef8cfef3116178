import type { Envelope } from '../../src/model/envelope.ts'
import type { CallOptions, TestGateway } from './gateway.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every capability
type Any = any

export interface BatchResult {
  readonly id: string | null
  readonly ok: boolean
  readonly http_status: number
  readonly request_id: string
  readonly envelope: Envelope & { data: Any; error: Any }
}

export interface BatchAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Any
  /** Empty if the batch was refused. */
  readonly results: readonly BatchResult[]
}

/** Sends a batch without checking it. */
export async function sendBatch(
  { url }: TestGateway,
  body: unknown,
  { query = {}, headers = {}, signal }: CallOptions = {},
): Promise<BatchAnswer> {
  const response = await fetch(`${url}/v1/batch?${new URLSearchParams(query).toString()}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: signal ?? null,
  })
  const answer = (await response.json()) as Any
  return {
    status: response.status,
    headers: response.headers,
    body: answer,
    results: answer.data?.results ?? [],
  }
}
