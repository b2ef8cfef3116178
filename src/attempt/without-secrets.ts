import { redactText, redactValue } from '../lib/redact.ts'
import { shorten } from '../lib/text.ts'
import type { Failure } from '../model/failure.ts'
import type { Exchange } from '../model/reply.ts'
import type { Warning } from '../model/warnings.ts'
import type { AttemptResult } from './attempt-route.ts'

/** How much of a text is searched, and how much is kept. */
const MAX_READ = 4000
const MAX_LENGTH = 2000

/**
 * Removes credentials from what a result says beside its data. Adapters clean the messages of services and programs;
 * ids in headers, and sentences that a card makes of an answer, can quote an echoed credential as well.
 */
export function withoutSecrets(result: AttemptResult, secrets: readonly string[]): AttemptResult {
  const exchange = cleanExchange(result.exchange, secrets)
  if (result.ok) {
    if (exchange === result.exchange && result.warnings.length === 0) return result
    return { ...result, exchange, warnings: cleanWarnings(result.warnings, secrets) }
  }
  return { ...result, exchange, failure: cleanFailure(result.failure, secrets) }
}

function cleanExchange(exchange: Exchange, secrets: readonly string[]): Exchange {
  const { upstreamRequestId: id } = exchange
  const cleaned = id === null ? null : clean(id, secrets)
  return cleaned === id ? exchange : { ...exchange, upstreamRequestId: cleaned }
}

function cleanWarnings(
  warnings: readonly Warning[],
  secrets: readonly string[],
): readonly Warning[] {
  return warnings.length === 0 ? warnings : (redactValue(warnings, secrets) as Warning[])
}

function cleanFailure(failure: Failure, secrets: readonly string[]): Failure {
  const { message, details } = failure
  return {
    ...failure,
    message: clean(message, secrets),
    details: redactValue(details, secrets) as Failure['details'],
  }
}

function clean(text: string, secrets: readonly string[]): string {
  const read = redactText(text.slice(0, MAX_READ), secrets)
  if (text.length <= MAX_READ) return shorten(read, MAX_LENGTH)
  // The end may be the first half of a secret.
  const longest = Math.max(0, ...secrets.map(secret => secret.length))
  return shorten(read.slice(0, read.length - longest), MAX_LENGTH)
}
