import type { EnvelopeError, Meta } from '../src/model/envelope.ts'

export type { EnvelopeError, Meta }

export interface Success<Data> {
  readonly ok: true
  readonly data: Data
  readonly error: null
  readonly meta: Meta
}

export interface Failure {
  readonly ok: false
  readonly data: null
  readonly error: EnvelopeError
  readonly meta: Meta
}

/** The envelope of a call. `ok` says which of both it is. */
export type Result<Data> = Success<Data> | Failure

/** A failed call, as an exception. */
export class SignalboxError extends Error {
  override readonly name = 'SignalboxError'
  readonly code: EnvelopeError['code']
  readonly error: EnvelopeError
  readonly meta: Meta

  constructor({ error, meta }: Failure) {
    super(`${error.code}: ${error.message}`)
    this.code = error.code
    this.error = error
    this.meta = meta
  }
}

/** Returns the data of a success. @throws {SignalboxError} for a failure */
export async function unwrap<Data>(
  result: Result<Data> | PromiseLike<Result<Data>>,
): Promise<Data> {
  const settled = await result
  if (settled.ok) return settled.data
  throw new SignalboxError(settled)
}

/**
 * The result of a call whose answer did not arrive. The gateway may have made the call: only one that has an
 * Idempotency-Key may be sent again.
 */
export function lostAnswer(
  capability: string | null,
  message: string,
  {
    isKeyed,
    code = 'NETWORK',
  }: { readonly isKeyed: boolean; readonly code?: 'NETWORK' | 'SERVER' },
): Failure {
  return {
    ok: false,
    data: null,
    error: {
      code,
      message,
      retryable: isKeyed,
      retry_after_ms: null,
      source: 'gateway',
      write_outcome: isKeyed ? null : 'unknown',
      hint_id: code === 'NETWORK' ? 'hint_network_001' : 'hint_server_001',
      next: isKeyed ? { action: 'retry', after_ms: 1000 } : { action: 'ask_human' },
      details: {},
    },
    meta: ownMeta(capability),
  }
}

/** The result of a call that cannot be sent. */
export function unsendable(capability: string | null, path: string, message: string): Failure {
  return {
    ok: false,
    data: null,
    error: {
      code: 'VALIDATION',
      message: `${path} ${message}. Nothing was sent.`,
      retryable: false,
      retry_after_ms: null,
      source: 'caller',
      write_outcome: 'not_applied',
      hint_id: 'hint_validation_001',
      next: { action: 'fix_input', fields: [path] },
      details: { fields: [{ path, message }] },
    },
    meta: ownMeta(capability),
  }
}

function ownMeta(capability: string | null): Meta {
  return {
    capability_id: capability,
    request_id: '',
    route_used: null,
    reason: null,
    attempts: [],
    duration_ms: 0,
    warnings: [],
  }
}
