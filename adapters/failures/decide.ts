import type { ErrorCode } from '../../src/model/errors.ts'
import { meaningOfText } from './phrases/meaning-of-text.ts'
import type { Signals } from './signals.ts'
import { verdictOfStatus } from './status.ts'
import { type Verdict, verdict } from './verdict.ts'
import { errnosIn, meaningOfErrno } from './vocabulary/errno.ts'
import { meaningOfCode } from './vocabulary/machine-code.ts'
import { type Meaning, mostSpecific, RANK } from './vocabulary/meaning.ts'

/**
 * Decides what a failure means, for every route: a specific machine code, else the status, else the exit code,
 * else the most specific phrase. Words that only frame another reason count last. docs/errors.md shows the ranking.
 */
export function decide(signals: Signals): Verdict {
  const { status } = signals
  if (status && status.value >= 300) return ofStatus(status.value, signals)
  return withoutStatus(signals) ?? verdict('UNKNOWN')
}

/** The verdict of codes, exit code and phrases; null if none of them says anything. */
export function withoutStatus({ codes, exit, messages }: Signals): Verdict | null {
  const code = mostSpecific([
    ...codes.map(({ value }) => meaningOfCode(value)),
    ...ofErrnos(messages),
  ])
  if (code && code.rank >= RANK.general) return code.verdict
  if (exit && exit.rank >= RANK.specific) return exit.verdict
  // Where code and exit code only frame another reason, words may name it.
  return mostSpecific([exit, code, meaningOfText(messages)])?.verdict ?? null
}

/** A network error that a message names is the service's own, unless the route itself read it as a code. */
function ofErrnos(messages: readonly string[]): Meaning[] {
  const meanings = messages.flatMap(message => errnosIn(message)).map(meaningOfErrno)
  const isBroken = meanings.some(one => one && NETWORKING.includes(one.verdict.code))
  return isBroken ? [{ verdict: verdict('SERVER'), rank: RANK.exact }] : []
}

const NETWORKING: readonly ErrorCode[] = ['NETWORK', 'TIMEOUT']

/** The verdict on a failure that a service reports in its answer: a connection that broke there is not ours. */
export function toldByService(judged: Verdict): Verdict {
  return judged.code === 'NETWORK' ? verdict('SERVER') : judged
}

/** Statuses so general that a machine code may say more precisely what is wrong. */
const OPEN_STATUSES: readonly number[] = [400, 402, 403, 405, 406, 422]
/** Codes that may refine a 5xx: AWS's SlowDown is a 503. */
const SERVER_MEANINGS: readonly ErrorCode[] = ['RATE_LIMIT', 'TIMEOUT']
const REFUSALS: readonly ErrorCode[] = ['AUTH', 'FORBIDDEN']

function ofStatus(status: number, signals: Signals): Verdict {
  return (
    ofCodes(status, signals) ??
    ofPhrases(status, signals) ??
    verdictOfStatus(status, signals.headers)
  )
}

/**
 * The most specific meaning that differs from the status, unless another code confirms the status more specifically.
 * Many bodies first repeat the status as a code (`PERMISSION_DENIED` in a 403) and then give the real reason
 * (`rateLimitExceeded`). A code clarifies a status that is more exact, and does not override it.
 */
function ofCodes(status: number, { codes }: Signals): Verdict | null {
  const general = verdictOfStatus(status, {}).code
  const meanings = codes.map(({ value }) => meaningOfCode(value))
  const other = mostSpecific(meanings.filter(meaning => refines(status, meaning)))
  const same = mostSpecific(meanings.filter(meaning => meaning?.verdict.code === general))
  if (!other || (same && same.rank >= other.rank + RANK.general)) return ofRace(same, status)
  // After a 4xx the service applied nothing.
  return status >= 500 ? other.verdict : { ...other.verdict, writeOutcome: 'not_applied' }
}

/** A code that agrees with a 409 may still say that waiting helps. */
function ofRace(same: Meaning | null, status: number): Verdict | null {
  return status === 409 && same && same.rank >= RANK.specific ? same.verdict : null
}

/** Whether a code may say more than the status. After a 4xx, a code that blames the service is not believed. */
function refines(status: number, meaning: Meaning | null): boolean {
  if (!meaning || meaning.rank < RANK.general) return false
  const { code } = meaning.verdict
  if (code === verdictOfStatus(status, {}).code) return false
  if (status >= 500) return refinesServer(status, meaning)
  return refinesRefusal(status, meaning)
}

function refinesRefusal(status: number, { verdict: { code }, rank }: Meaning): boolean {
  // Some services answer every refusal of an operation with 409, and name the kind in a code.
  if (status === 409) return code === 'NOT_FOUND'
  // A 403 for a thing that is required (a plan, a role) stays a refusal.
  if (status === 403 && code === 'VALIDATION' && rank < RANK.specific) return false
  return OPEN_STATUSES.includes(status) && code !== 'SERVER' && code !== 'UNKNOWN'
}

/** A 500 may hide a refusal that only the code names. A full store (507) stays full. */
function refinesServer(status: number, { verdict: { code }, rank }: Meaning): boolean {
  if (status === 500 && rank >= RANK.specific && REFUSALS.includes(code)) return true
  return status !== 507 && SERVER_MEANINGS.includes(code)
}

/** Meanings that words may give to a status that leaves them open. */
const LEFT_OPEN: Readonly<Record<number, readonly ErrorCode[]>> = {
  // ADAPTER_UNSUPPORTED: the service refuses a form of the request that the gateway chose.
  400: ['RATE_LIMIT', 'AUTH', 'CONFLICT', 'ADAPTER_UNSUPPORTED'],
  403: ['RATE_LIMIT', 'AUTH'],
  406: ['TOO_LARGE'],
  412: ['ADAPTER_UNSUPPORTED'],
  422: ['CONFLICT'],
  503: ['RATE_LIMIT'],
}

function ofPhrases(status: number, { messages }: Signals): Verdict | null {
  const text = meaningOfText(messages)
  if (!text || text.rank < RANK.specific) return null
  if (!LEFT_OPEN[status]?.includes(text.verdict.code)) return null
  return text.verdict.code === 'RATE_LIMIT'
    ? verdict('RATE_LIMIT', { sharedFate: 'host' })
    : verdict(text.verdict.code)
}
