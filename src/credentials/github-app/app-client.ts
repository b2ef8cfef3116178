import { isObject } from '../../lib/is-object.ts'
import type { Signal } from '../../lib/signal.ts'
import type { PlainResult } from '../../model/adapter.ts'
import { CredentialError } from '../../model/credential.ts'
import type { ServiceApi, SourceOptions } from '../source.ts'
import { type AppSources, signJwt } from './app-jwt.ts'

type Answered = Extract<PlainResult, { ok: true }>

/** An answer that is no failure of the app itself. */
export interface AppAnswer {
  readonly status: number
  /** An empty object when it is no JSON. */
  readonly body: Readonly<Record<string, unknown>>
  /** A list when it is one. */
  readonly list: readonly unknown[]
  /** Epoch milliseconds on GitHub's clock, in whole seconds; null when the answer does not say. */
  readonly date: number | null
}

/** A clock that is less far off than this is not worth a word: GitHub takes the JWT. */
const WRONG_MS = 30_000

/** Asks GitHub as an app. */
export class AppClient {
  readonly #sources: AppSources
  readonly #api: ServiceApi
  readonly #options: Pick<SourceOptions, 'now' | 'remember'>
  /** GitHub's clock minus ours, once an answer has shown that ours is wrong. */
  #aheadMs = 0

  constructor(
    sources: AppSources,
    api: ServiceApi,
    options: Pick<SourceOptions, 'now' | 'remember'>,
  ) {
    this.#sources = sources
    this.#api = api
    this.#options = options
  }

  /** A sentence about this machine's clock; null when it is right. */
  note(): string | null {
    if (this.#aheadMs === 0) return null
    const seconds = Math.round(Math.abs(this.#aheadMs) / 1000)
    const side = this.#aheadMs > 0 ? 'behind' : 'ahead of'
    return `The clock of this machine is ${seconds} s ${side} that of ${this.#api.origin}: set it by NTP.`
  }

  /**
   * Sends a request, again once if the clock of this machine was the reason for a refusal.
   * @throws {CredentialError} for everything but an answer of 2xx, 404 for an installation, and 403 or 422
   */
  async ask(
    method: 'GET' | 'POST',
    path: string,
    signal: Signal,
    body?: object,
  ): Promise<AppAnswer> {
    const known = this.#aheadMs
    const first = await this.#send(method, path, signal, body)
    const answer =
      first.status === 401 && this.#aheadMs !== known
        ? await this.#send(method, path, signal, body)
        : first
    const read = { status: answer.status, ...bodyOf(answer), date: dateOf(answer) }
    this.#assertApp(answer, read)
    return read
  }

  async #send(
    method: string,
    path: string,
    signal: Signal,
    body: object | undefined,
  ): Promise<Answered> {
    const { now, remember } = this.#options
    const jwt = await signJwt(this.#sources, now() + this.#aheadMs, signal)
    remember(jwt)
    const headers = {
      authorization: `Bearer ${jwt}`,
      accept: 'application/vnd.github+json',
      ...(body && { 'content-type': 'application/json' }),
    }
    const text = body === undefined ? null : JSON.stringify(body)
    const result = await this.#api.ask({ method, path, headers, body: text }, signal)
    if (!result.ok) throw this.#unreached(result, signal)
    const date = dateOf(result)
    if (date !== null) {
      const ahead = date - now()
      this.#aheadMs = Math.abs(ahead) > WRONG_MS ? ahead : 0
    }
    return result
  }

  /** Throws for what says nothing about an installation. Shows no text of the answer, which could hold a secret. */
  #assertApp({ status, headers }: Answered, { body }: Pick<AppAnswer, 'body'>): void {
    const { origin } = this.#api
    if (isRateLimit(status, headers)) {
      throw new CredentialError('RATE_LIMIT', `${origin} limits the app for now.`, waitOf(headers))
    }
    if (status >= 500) {
      throw new CredentialError(
        'SERVER',
        `${origin} answered ${status}, so there is no token.`,
        waitOf(headers),
      )
    }
    if (status === 404 && body.message === 'Integration not found') {
      throw new CredentialError(
        'AUTH',
        `${origin} knows no app with this app_id. Take the App ID, or the client ID, from the settings of the app.`,
      )
    }
    if (status === 401) throw new CredentialError('AUTH', refusal(origin, body.message))
  }

  #unreached(
    { message, code }: Extract<PlainResult, { ok: false }>,
    { aborted }: Signal,
  ): CredentialError {
    const { origin } = this.#api
    if (aborted) {
      return new CredentialError(
        'TIMEOUT',
        `${origin} did not answer in time, so there is no token.`,
      )
    }
    const why = code ?? message.replace(/\.$/, '')
    return new CredentialError(
      'NETWORK',
      `${origin} cannot be reached (${why}), so there is no token.`,
    )
  }
}

/** GitHub answers alike for a key that was deleted, and for one of another app. */
function refusal(origin: string, message: unknown): string {
  if (/claim \('(?:exp|iat)'\)/.test(String(message))) {
    return `${origin} finds the times of the app's JWT wrong: set the clock of this machine by NTP.`
  }
  return `${origin} refuses the private key of the app: it was deleted on GitHub, or belongs to an app with another app_id. Generate another in the settings of the app, and put it where private_key reads.`
}

function isRateLimit(status: number, headers: Answered['headers']): boolean {
  if (status === 429) return true
  return status === 403 && (headers['x-ratelimit-remaining'] === '0' || 'retry-after' in headers)
}

function waitOf(headers: Answered['headers']): number | null {
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}

function dateOf({ headers }: Answered): number | null {
  const date = Date.parse(headers.date ?? '')
  return Number.isNaN(date) ? null : date
}

function bodyOf({ text }: Answered): Pick<AppAnswer, 'body' | 'list'> {
  try {
    const value: unknown = JSON.parse(text)
    return { body: isObject(value) ? value : {}, list: Array.isArray(value) ? value : [] }
  } catch {
    return { body: {}, list: [] }
  }
}
