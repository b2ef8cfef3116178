import { errorCodes, type FastifyReply, type FastifyRequest, type RequestPayload } from 'fastify'
import type { ByteBudget, Hold } from '../../src/lib/byte-budget.ts'
import { GatewayError } from '../../src/model/errors.ts'
import type { RefusalReason } from '../../src/model/refusal-reason.ts'
import { afterSending } from './caller-signal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before a body is read. */
    bodyCount: BodyCount
  }
}

/**
 * Counts one body from its first byte until its answer has been sent, because what was parsed from it lives until then.
 * A body never waits for room: a refusal costs its caller less than a connection that hangs.
 */
export class BodyCount {
  readonly #budget: ByteBudget
  readonly #hold: Hold
  #size = 0

  constructor(budget: ByteBudget, reply: FastifyReply) {
    this.#budget = budget
    const hold = budget.open({ mayFail: true, mayWait: false })
    this.#hold = hold
    afterSending(reply)(() => hold.release())
  }

  /** Returns why a body of this length cannot be read now. Counts nothing: the bytes may never come. */
  expect(length: number): Error | null {
    const { limit } = this.#budget
    if (length > limit) return tooLarge(limit)
    return this.#budget.hasRoomFor(length) ? null : overloaded()
  }

  /** Returns why these bytes cannot be kept. Then it counts none of the body any more. */
  take(bytes: number): Error | null {
    const size = this.#size + bytes
    if (this.#hold.take(bytes)) {
      this.#size = size
      return null
    }
    this.#hold.take(-this.#size)
    this.#size = 0
    return size > this.#budget.limit ? tooLarge(this.#budget.limit) : overloaded()
  }
}

export type BodyEnd = (error: Error | null, body?: Buffer) => void

/**
 * Reads a whole body of at most `limit` bytes. A body that there is no room for is read too, but not kept: many callers
 * listen for the answer only after they have sent everything, and would get a broken connection.
 */
export function readBody(
  { headers, bodyCount }: FastifyRequest,
  payload: RequestPayload,
  limit: number,
  end: BodyEnd,
): void {
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (length > limit) return end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  let refusal = length > 0 ? bodyCount.expect(length) : null
  let chunks: Buffer[] = []
  let size = 0
  let isFinished = false
  // The listeners end with the request. To remove them would cost more than to ignore what they hear.
  const finish: BodyEnd = (error, body) => {
    if (isFinished) return
    isFinished = true
    end(error, body)
  }
  const onError = () => finish(leftEarly())
  const onData = (chunk: Buffer) => {
    if (isFinished) return
    size += chunk.length
    if (size > limit) return finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    refusal ??= bodyCount.take(chunk.length)
    if (refusal) chunks = []
    else chunks.push(chunk)
  }
  const onEnd = () => {
    if (length >= 0 && size !== length) {
      return finish(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
    }
    if (refusal) finish(refusal)
    else finish(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size))
  }
  payload.on('data', onData).on('end', onEnd).on('error', onError)
}

/** The connection of the caller has ended: no fault of the gateway. */
function leftEarly(): GatewayError {
  return new GatewayError('CANCELLED', 'The caller left before its body was complete.', {
    source: 'caller',
    writeOutcome: 'not_applied',
  })
}

function tooLarge(limit: number): GatewayError {
  return new GatewayError(
    'TOO_LARGE',
    `The body is larger than the ${limit} bytes that max_held_bytes allows for all bodies together. Send less.`,
    { source: 'caller' },
  )
}

function overloaded(): GatewayError {
  return new GatewayError(
    'SERVER',
    'The gateway already holds as many bytes of request bodies as max_held_bytes allows. Nothing was sent.',
    { status: 503, retryAfterMs: 1000, details: { refused: 'memory' satisfies RefusalReason } },
  )
}
