import type { FailureFacts, FailureRule } from '../../../src/model/failure-rule.ts'
import type { Effect, Route } from '../../../src/model/route.ts'
import { type ErrorBody, readErrorBody } from '../../failures/read/error-body.ts'
import { maskChosenWords, wordsOf } from '../../failures/read/mask.ts'
import { type Signal, type Signals, signal } from '../../failures/signals.ts'
import { grpcNameOf } from '../../failures/vocabulary/grpc.ts'
import type { HttpAnswer } from '../wire/answer.ts'

/** Everything beside the answer itself that its judgement needs. */
export interface Circumstances {
  readonly route: Route
  readonly upstream: string
  /** The upstream's own rules, tried first. */
  readonly rules: readonly FailureRule[]
  readonly effect: Effect
  /** The caller's input. Upstream messages may quote it, so its words must not decide anything. */
  readonly input: unknown
  /** Method, path and origin of the request as sent. */
  readonly method: string
  readonly path: string
  readonly origin: string
  /** Texts to redact from everything that leaves the gateway. */
  readonly secrets: readonly string[]
  readonly now: number
}

/** A failed answer, parsed once. */
export interface AnswerFacts {
  readonly answer: HttpAnswer
  /** The parsed JSON, or the text if it is not JSON. */
  readonly body: unknown
  readonly error: ErrorBody
  /** The facts in the form that failure rules read. */
  readonly ruleFacts: FailureFacts
  readonly signals: Signals
}

export function factsOf(
  answer: HttpAnswer,
  body: unknown,
  { route, input }: Pick<Circumstances, 'route' | 'input'>,
): AnswerFacts {
  return new LazyFacts(answer, body, route, input)
}

/**
 * Reads messages and codes only on demand, because rules about a success seldom need them. This is a class
 * because V8 makes a hidden class for each object literal with getters, and everything those reach stays
 * in memory until the next major GC.
 */
class LazyFacts implements AnswerFacts, FailureFacts {
  readonly exitCode = null
  readonly stderr = ''
  #error: ErrorBody | null = null
  #messages: readonly string[] | null = null
  #codes: readonly Signal<string>[] | null = null

  readonly answer: HttpAnswer
  readonly body: unknown
  readonly route: Route
  readonly status: number
  readonly headers: FailureFacts['headers']
  readonly #input: unknown

  constructor(answer: HttpAnswer, body: unknown, route: Route, input: unknown) {
    this.answer = answer
    this.body = body
    this.route = route
    this.status = answer.status
    this.headers = answer.headers
    this.#input = input
  }

  get ruleFacts(): FailureFacts {
    return this
  }

  get error(): ErrorBody {
    return (this.#error ??= readErrorBody(this.body))
  }

  get messages(): readonly string[] {
    return (this.#messages ??= masked(this.error.messages, this.#input))
  }

  get types(): readonly string[] {
    return this.codes.map(({ value }) => value)
  }

  get codes(): readonly Signal<string>[] {
    return (this.#codes ??= [
      ...headerCodes(this.answer).map(code => signal(code, 'header')),
      ...this.error.codes.map(code => signal(code, 'body')),
    ])
  }

  get signals(): Signals {
    const { status, headers, codes, messages } = this
    return { status: signal(status, 'status line'), headers, codes, exit: null, messages }
  }
}

/** Hides everything in messages that a user chose: quotations, names, and words of the input. */
export function masked(messages: readonly string[], input: unknown): string[] {
  const inputWords = wordsOf(input)
  return messages.map(message => maskChosenWords(message, inputWords))
}

/** Codes in headers: those of AWS, Azure and gRPC, and of OAuth's challenge (RFC 6750 §3). */
function headerCodes({ headers }: HttpAnswer): string[] {
  const challenge = headers['www-authenticate'] ?? ''
  return [
    // AWS appends a colon and a URL.
    headers['x-amzn-errortype']?.split(':')[0],
    headers['x-ms-error-code'],
    grpcNameOf(Number(headers['grpc-status'])),
    /\berror="([\w.-]+)"/.exec(challenge)?.[1],
  ].filter(code => typeof code === 'string')
}
