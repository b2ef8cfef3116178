import type { FailureFacts, FailureRule } from '../../../src/model/failure-rule.ts'
import type { Effect, Route } from '../../../src/model/route.ts'
import type { HttpAnswer } from '../wire/answer.ts'
import { type ErrorBody, readErrorBody } from './error-body.ts'
import { maskChosenWords, wordsOf } from './mask.ts'

/** What is known beside the answer when it is judged. */
export interface Circumstances {
  readonly route: Route
  readonly upstream: string
  /** The upstream's own, tried first. */
  readonly rules: readonly FailureRule[]
  readonly effect: Effect
  /** What the caller gave: its words may come back in messages, and must not decide anything. */
  readonly input: unknown
  /** The request as it was sent. */
  readonly method: string
  readonly path: string
  readonly origin: string
  /** Never to be shown. */
  readonly secrets: readonly string[]
  readonly now: number
}

/** An answer that is no success, taken apart once. */
export interface AnswerFacts {
  readonly answer: HttpAnswer
  /** JSON where it is that, else the text. */
  readonly body: unknown
  readonly error: ErrorBody
  /** The form in which failure rules see it. */
  readonly rule: FailureFacts
}

export function factsOf(
  answer: HttpAnswer,
  body: unknown,
  { route, input }: Pick<Circumstances, 'route' | 'input'>,
): AnswerFacts {
  return new LazyFacts(answer, body, route, input)
}

/**
 * Words and codes are read when somebody asks for them: rules about a success seldom get that far. A class,
 * since V8 makes a hidden class for each object literal with getters, and what those reach stays in memory
 * until the next full collection.
 */
class LazyFacts implements AnswerFacts, FailureFacts {
  readonly exitCode = null
  readonly stderr = ''
  #error: ErrorBody | null = null
  #messages: readonly string[] | null = null
  #types: readonly string[] | null = null

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

  get rule(): FailureFacts {
    return this
  }

  get error(): ErrorBody {
    return (this.#error ??= readErrorBody(this.body))
  }

  get messages(): readonly string[] {
    return (this.#messages ??= masked(this.error.messages, this.#input))
  }

  get types(): readonly string[] {
    return (this.#types ??= [...headerCodes(this.answer), ...this.error.codes])
  }
}

/** Messages with everything hidden that a user chose: quotations, names, and words of the input. */
export function masked(messages: readonly string[], input: unknown): string[] {
  const ownWords = wordsOf(input)
  return messages.map(message => maskChosenWords(message, ownWords))
}

/** Codes outside the body: AWS, Azure, and OAuth's challenge (RFC 6750 §3). */
function headerCodes({ headers }: HttpAnswer): string[] {
  const challenge = headers['www-authenticate'] ?? ''
  return [
    // AWS appends a colon and a URL.
    headers['x-amzn-errortype']?.split(':')[0],
    headers['x-ms-error-code'],
    /\berror="([\w.-]+)"/.exec(challenge)?.[1],
  ].filter(code => code !== undefined)
}
