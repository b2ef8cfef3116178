import { ANONYMOUS, type NoteDecision } from '../model/audit.ts'
import type { Answer } from '../model/envelope.ts'
import type { ErrorCode, ErrorSource } from '../model/errors.ts'

/** A request that was refused because of its gateway key. */
export interface KeyRefusal {
  /** Null when the key is unknown. */
  readonly caller: string | null
  readonly code: ErrorCode
  readonly reason: string | null
  /** The capability, or the path of the endpoint. */
  readonly wanted: string | null
  readonly requestId: string
  readonly message: string
}

/** The refusal of a request by its gateway key; null for every other answer. */
export function keyRefusalOf(
  { envelope, status }: Pick<Answer, 'envelope' | 'status'>,
  caller: string | null,
  wanted: string | null,
): KeyRefusal | null {
  const { error, meta } = envelope
  if (error === null || !isOfKey(status, error.source, meta.reason)) return null
  const { code, message, details } = error
  const expired = typeof details.key === 'string' ? details.key : null
  const who = caller === ANONYMOUS ? null : caller
  return {
    caller: who ?? expired,
    code,
    reason: meta.reason,
    wanted,
    requestId: meta.request_id,
    message,
  }
}

/** A person's refusal of one call is a decision of its own, and a service refuses its own credentials. */
function isOfKey(status: number, source: ErrorSource, reason: string | null): boolean {
  if (source === 'upstream' || reason === 'APPROVAL_REQUIRED') return false
  return status === 401 || status === 403 || (status === 429 && reason === 'KEY_LIMIT')
}

const WINDOW_MS = 60_000
/** Different keys and reasons in one window. There are as many as an operator makes keys. */
const MOST_KINDS = 1_000
const MOST_NAMED = 10

interface Kind {
  readonly subject: string
  readonly code: ErrorCode
  more: number
  readonly wanted: Set<string>
  readonly timer: NodeJS.Timeout
}

/**
 * Records the first refusal of each kind, and a minute later how many have followed: a flood of them must not fill the
 * disk. A kind is a key, a code and a reason.
 */
export class KeyRefusals implements Disposable {
  readonly #note: NoteDecision
  readonly #windowMs: number
  readonly #kinds = new Map<string, Kind>()

  constructor(note: NoteDecision, windowMs: number = WINDOW_MS) {
    this.#note = note
    this.#windowMs = windowMs
  }

  add(refusal: KeyRefusal): void {
    const { caller, code, reason, wanted, requestId, message } = refusal
    const subject = caller ?? ANONYMOUS
    const name = `${subject} ${code} ${reason}`
    const known = this.#kinds.get(name)
    if (known) {
      known.more++
      if (wanted !== null && known.wanted.size < MOST_NAMED) known.wanted.add(wanted)
      return
    }
    if (this.#kinds.size >= MOST_KINDS) return
    const timer = setTimeout(() => this.#end(name), this.#windowMs).unref()
    this.#kinds.set(name, { subject, code, more: 0, wanted: new Set(), timer })
    const details = { code, ...(wanted && { wanted }), request_id: requestId }
    this.#note({ action: 'key.refused', actor: subject, subject, reason: message, details })
  }

  /** Records what has been counted so far. */
  [Symbol.dispose](): void {
    for (const [name, { timer }] of this.#kinds) {
      clearTimeout(timer)
      this.#end(name)
    }
  }

  #end(name: string): void {
    const kind = this.#kinds.get(name)
    this.#kinds.delete(name)
    if (!kind || kind.more === 0) return
    const { subject, code } = kind
    const details = { code, more: kind.more, wanted: [...kind.wanted] }
    const reason = `Refused ${kind.more} more times within a minute.`
    this.#note({ action: 'key.refused', actor: subject, subject, reason, details })
  }
}
