import type { Signal } from '../lib/signal.ts'
import { type Credential, CredentialError, type Identity, type Needs } from '../model/credential.ts'
import { createFailure, type Failure } from '../model/failure.ts'
import { NO_EXCHANGE } from '../model/reply.ts'
import type { AttemptResult } from './attempt-route.ts'
import { withoutSecrets } from './without-secrets.ts'

type Send = (credential: Credential | null) => PromiseLike<AttemptResult>

/**
 * Makes an attempt with the secrets of an identity, and removes them from its result. If the service refuses them with 401 and there are new ones,
 * makes it once more with these: a secret can be revoked before its time.
 */
export function withCredential(
  identity: Identity | null,
  needs: Needs,
  signal: Signal,
  send: Send,
): PromiseLike<AttemptResult> {
  if (identity === null) return send(null).then(result => withoutSecrets(result, []))
  const failed = (error: unknown) => unopened(error, signal)
  const sendWith = (credential: Credential) =>
    send(credential).then(result =>
      isRefused(result)
        ? sendAgain(identity, credential, signal, send, result)
        : withoutSecrets(result, credential.secrets),
    )
  let opened: Credential | Promise<Credential>
  try {
    opened = identity.open(needs, signal)
  } catch (error) {
    return Promise.resolve(failed(error))
  }
  return opened instanceof Promise ? opened.then(sendWith, failed) : sendWith(opened)
}

async function sendAgain(
  identity: Identity,
  refused: Credential,
  signal: Signal,
  send: Send,
  result: AttemptResult,
): Promise<AttemptResult> {
  const renewed = await identity.renew(refused, signal).catch((error: unknown) => error)
  if (renewed instanceof Error) return unrenewed(result, renewed, refused)
  if (!isCredential(renewed)) return withoutSecrets(result, refused.secrets)
  return withoutSecrets(withRequestsOf(result, await send(renewed)), renewed.secrets)
}

function isCredential(renewed: unknown): renewed is Credential {
  return renewed !== null
}

/** The renewal says what is wrong with the credential, and what to do. Any other error explains less than the refusal. */
function unrenewed(result: AttemptResult, error: Error, { secrets }: Credential): AttemptResult {
  if (!(error instanceof CredentialError) || result.ok) return withoutSecrets(result, secrets)
  return withoutSecrets({ ...result, failure: failureOfSource(error) }, secrets)
}

/** A program does not report a status. */
function isRefused(result: AttemptResult): boolean {
  if (result.ok) return false
  const { failure, exchange } = result
  const { upstreamStatus: status } = exchange
  if (failure.code !== 'AUTH' || failure.writeOutcome !== 'not_applied') return false
  return status === 401 || (status === null && exchange.upstreamRequests > 0)
}

function withRequestsOf({ exchange: first }: AttemptResult, second: AttemptResult): AttemptResult {
  const upstreamRequests = first.upstreamRequests + second.exchange.upstreamRequests
  return { ...second, exchange: { ...second.exchange, upstreamRequests } }
}

/** The failure of an attempt that has no credential: nothing was sent, and the service had no part in it. */
function unopened(error: unknown, signal: Signal): AttemptResult {
  const failure = failureOf(error, signal)
  return { ok: false, failure, exchange: NO_EXCHANGE, isUnsent: true }
}

function failureOf(error: unknown, signal: Signal): Failure {
  if (error instanceof CredentialError) return failureOfSource(error)
  if (!signal.aborted) throw error
  const isTimeout = signal.reason instanceof Error && signal.reason.name === 'TimeoutError'
  return isTimeout
    ? createFailure('TIMEOUT', 'The time was up before the gateway had the credential.', UNSENT)
    : createFailure('CANCELLED', 'The caller left before the gateway had the credential.', UNSENT)
}

function failureOfSource({ code, message, retryAfterMs }: CredentialError): Failure {
  return createFailure(code, message, {
    fallback: true,
    writeOutcome: 'not_applied',
    sharedFate: 'credential',
    retryAfterMs,
    retryAfterSource: retryAfterMs === null ? null : 'header',
  })
}

const UNSENT = { fallback: false, writeOutcome: 'not_applied' } as const
