import { verdict } from '../verdict.ts'
import type { RankName } from './meaning.ts'

type Code = readonly [name: string, verdict: ReturnType<typeof verdict> | null, rank: RankName]

/**
 * gRPC's status codes by number, https://grpc.github.io/grpc/core/md_doc_statuscodes.html. Google's HTTP APIs put the
 * names into `error.status` (AIP-193). They say about as much as an HTTP status.
 */
const CODES: readonly Code[] = [
  ['OK', null, 'frame'],
  // Not cancelled by us: the service or a proxy gave up, as with HTTP 499.
  ['CANCELLED', verdict('TIMEOUT'), 'general'],
  ['UNKNOWN', verdict('UNKNOWN'), 'frame'],
  ['INVALID_ARGUMENT', verdict('VALIDATION'), 'general'],
  ['DEADLINE_EXCEEDED', verdict('TIMEOUT'), 'general'],
  ['NOT_FOUND', verdict('NOT_FOUND'), 'general'],
  ['ALREADY_EXISTS', verdict('CONFLICT'), 'general'],
  ['PERMISSION_DENIED', verdict('FORBIDDEN'), 'general'],
  ['RESOURCE_EXHAUSTED', verdict('RATE_LIMIT'), 'general'],
  ['FAILED_PRECONDITION', verdict('CONFLICT'), 'general'],
  // A lost race: the same call may win next time.
  ['ABORTED', verdict('CONFLICT', { retryable: true }), 'general'],
  ['OUT_OF_RANGE', verdict('VALIDATION'), 'general'],
  ['UNIMPLEMENTED', verdict('ADAPTER_UNSUPPORTED'), 'general'],
  ['INTERNAL', verdict('SERVER'), 'frame'],
  ['UNAVAILABLE', verdict('SERVER'), 'general'],
  ['DATA_LOSS', verdict('SERVER', { retryable: false }), 'general'],
  ['UNAUTHENTICATED', verdict('AUTH'), 'general'],
]

/** The names, in the form of a word list. */
export const GRPC = CODES.flatMap(([name, meaning, rank]) =>
  meaning === null ? [] : [[meaning, rank, name] as const],
)

/** The name of a number, in a place that is known to hold a gRPC status such as `grpc-status`; null for success and others. */
export function grpcNameOf(number: number): string | null {
  return number === 0 ? null : (CODES[number]?.[0] ?? null)
}

/** The name of the code in a google.rpc.Status as JSON: `{"code": 5, "message": "…", "details": []}`; null for others. */
export function grpcNameIn(body: Readonly<Record<string, unknown>>): string | null {
  const { code, details } = body
  return Array.isArray(details) && typeof code === 'number' ? grpcNameOf(code) : null
}
