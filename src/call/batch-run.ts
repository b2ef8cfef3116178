import { createHash } from 'node:crypto'
import { canonicalJson } from '../lib/canonical.ts'
import { counted } from '../lib/text.ts'
import type { FieldProblem } from '../model/card.ts'
import type { Answer } from '../model/envelope.ts'
import { GatewayError } from '../model/errors.ts'
import type { ExecuteRequest } from '../model/execute-request.ts'
import type { Step } from './batch-steps.ts'
import type { BatchRequest } from './execute-batch.ts'
import type { ReferenceRoom } from './reference-room.ts'
import { invalid, type Origin, type Scope } from './references.ts'

/** The most calls in one batch, those that for_each makes included. */
export const MAX_CALLS = 50

/** One call of a batch. */
export interface BatchedCall {
  readonly request: ExecuteRequest
  /** Why the gateway cannot make the call at all: it could not read it. */
  readonly refused: GatewayError | null
  /** The name by which later calls refer to it. */
  readonly id: string | null
  /** Ids of earlier calls that have to succeed first. */
  readonly needs: readonly string[]
  /** A reference to the list of items, each of which gets a call. */
  readonly forEach: unknown
}

/** A call that is ready to be made, or the reason why it is not. */
export interface Job {
  readonly step: Step
  /** The position of its item; null without for_each. */
  readonly item: number | null
  readonly request: ExecuteRequest
  readonly refused: GatewayError | null
}

/** The progress of a batch: the ended calls, and the answers that later ones read. */
export class BatchRun {
  readonly #calls: readonly BatchedCall[]
  /** The answers of each step. */
  readonly #answers: Answer[][]
  readonly #scope = new Map<string, unknown>()
  #count: number
  readonly #room: ReferenceRoom
  readonly #onItems: BatchRequest['onItems']

  constructor(
    calls: readonly BatchedCall[],
    room: ReferenceRoom,
    onItems: BatchRequest['onItems'],
  ) {
    this.#calls = calls
    this.#room = room
    this.#onItems = onItems
    this.#answers = calls.map(() => [])
    this.#count = calls.length
  }

  /** The calls of a step whose needs have ended. */
  expand(step: Step): readonly Job[] {
    const { request, refused } = this.#calls[step.index] as BatchedCall
    const plain = { step, item: null, request, refused }
    if (refused) return [plain]
    try {
      this.#requireNeeds(step)
      const items = this.#itemsOf(step)
      if (items === null) return [{ ...plain, request: this.#bind(step, {}) }]
      const seen = new Map<string, number>()
      return items.map((value, item) => this.#jobOf({ step, item, request, refused }, value, seen))
    } catch (error) {
      return [{ ...plain, refused: asGatewayError(error) }]
    }
  }

  /** Keeps the answers of a step for those that need it. */
  end({ index, items }: Step, answers: readonly Answer[]): void {
    this.#answers[index] = [...answers]
    const { id } = this.#calls[index] as BatchedCall
    // A second call with the same id is refused; the id stays with the first.
    if (id === null || this.#calls.findIndex(call => call.id === id) !== index) return
    const envelopes = answers.map(({ envelope }) => envelope)
    this.#scope.set(id, items ? envelopes : envelopes[0])
  }

  #requireNeeds({ needs }: Step): void {
    for (const need of needs) {
      const failed = this.#answers[need]?.find(({ envelope }) => !envelope.ok)
      if (failed) throw needFailed(this.#calls[need]?.id ?? '', failed)
    }
  }

  #itemsOf({ index, items }: Step): readonly unknown[] | null {
    if (!items) return null
    const at = `calls.${index}.for_each`
    const list = items.bind({ steps: this.#scope, room: this.#room })
    const source = items.origins.map(origin => origin.source).join()
    if (!Array.isArray(list)) {
      throw invalid(at, `selects ${list === null ? 'nothing' : 'no list'} (${source})`)
    }
    const count = this.#count - 1 + list.length
    if (count > MAX_CALLS) {
      throw invalid(
        at,
        `selects ${counted(list.length, 'item')} (${source}); with them the batch would have ${count} calls, and it may have ${MAX_CALLS}. Select fewer, e.g. with [:10]`,
      )
    }
    this.#onItems?.(index, list.length)
    this.#count = count
    return list
  }

  #jobOf(job: Job, item: unknown, seen: Map<string, number>): Job {
    try {
      const bound = this.#bind(job.step, { item })
      const { idempotencyKey } = bound
      if (idempotencyKey === undefined) return { ...job, request: bound }
      const text = canonicalJson(bound.input)
      const repeat = seen.get(text) ?? 0
      seen.set(text, repeat + 1)
      const key = itemKey(idempotencyKey, text, repeat)
      return { ...job, request: { ...bound, idempotencyKey: key } }
    } catch (error) {
      return { ...job, refused: asGatewayError(error) }
    }
  }

  #bind({ index, input }: Step, item: Pick<Scope, 'item'>): ExecuteRequest {
    const { request } = this.#calls[index] as BatchedCall
    return { ...request, input: input.bind({ ...item, steps: this.#scope, room: this.#room }) }
  }
}

/**
 * The key of one item. It depends on the input of the item, not on its position: when the batch is repeated, the list
 * may be shorter, because the first run has changed what it lists.
 */
function itemKey(key: string, input: string, repeat: number): string {
  const text = JSON.stringify([key, input, repeat])
  return `each-${createHash('sha256').update(text).digest('base64url')}`
}

/** Says of the members that an answer faults which earlier call they came from. */
export function nameOrigins(answer: Answer, origins: readonly Origin[]): Answer {
  const { envelope } = answer
  if (origins.length === 0 || envelope.ok || envelope.error.code !== 'VALIDATION') return answer
  const fields = envelope.error.details.fields as readonly FieldProblem[] | undefined
  if (envelope.meta.attempts.length > 0 || !Array.isArray(fields)) return answer
  const originOf = ({ path }: FieldProblem) =>
    origins.find(origin => path === origin.path || path.startsWith(`${origin.path}.`))
  const named = fields.map((field: FieldProblem) => {
    const origin = originOf(field)
    return origin
      ? { ...field, message: `${field.message}; it comes from ${origin.source}` }
      : field
  })
  const sources = [...new Set(fields.flatMap(field => originOf(field) ?? []))]
  if (sources.length === 0) return answer
  const words = sources.map(({ path, source }) => `"${path}" comes from ${source}.`)
  const error = {
    ...envelope.error,
    message: [envelope.error.message, ...words].join(' '),
    details: { ...envelope.error.details, fields: named },
  }
  return { ...answer, envelope: { ...envelope, error } }
}

const FAILED_DEPENDENCY = 424

function needFailed(id: string, { envelope }: Answer): GatewayError {
  const code = envelope.error?.code ?? 'UNKNOWN'
  return notSent(`Not sent: call "${id}", which this call needs, failed with ${code}.`, {
    need: id,
    need_code: code,
    need_request_id: envelope.meta.request_id,
    fields: [{ path: 'needs', message: `"${id}" failed with ${code}` }],
  })
}

/** The answer to a call that does not begin because an earlier one has failed. */
export function stopped(): GatewayError {
  return notSent('Not sent: an earlier call of the batch failed, and stop_on_error is set.', {
    fields: [{ path: 'stop_on_error', message: 'an earlier call of the batch failed' }],
  })
}

/** The answer to a call that does not begin because the caller has left. */
export function leftBefore(): GatewayError {
  return new GatewayError('CANCELLED', 'Not sent: the caller left before this call began.', {
    source: 'caller',
  })
}

function notSent(message: string, details: Record<string, unknown>): GatewayError {
  return new GatewayError('CONFLICT', message, {
    source: 'caller',
    status: FAILED_DEPENDENCY,
    details,
  })
}

function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  throw error
}
