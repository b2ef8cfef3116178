import type { WriteOutcome } from '../../../src/model/errors.ts'
import { type ErrorFacts, errorChain } from '../../failures/read/error-chain.ts'
import { type Verdict, verdict } from '../../failures/verdict.ts'
import { isSuccessStatus } from '../wire/answer.ts'
import { type BreakFacts, isUnsent } from './break-facts.ts'
import { BREAKS, type BreakRow } from './breaks.ts'

const UNKNOWN_BREAK = verdict('NETWORK', { message: 'The request failed on the network.' })

/**
 * Classifies a failed exchange. Looks at the innermost cause first, because wrappers such as
 * `fetch failed` or `Request was cancelled` say less than their cause, or something else.
 */
export function classifyBreak(at: BreakFacts): Verdict {
  const chain = errorChain(at.error)
  for (const error of chain) {
    const row = BREAKS.find(({ matches }) => matches(error, at))
    if (row) return { ...row.verdict, writeOutcome: writeOutcome(row, chain, at) }
  }
  return { ...UNKNOWN_BREAK, writeOutcome: writeOutcome({}, chain, at) }
}

function writeOutcome(
  row: Pick<BreakRow, 'unsent'>,
  chain: readonly ErrorFacts[],
  at: BreakFacts,
): WriteOutcome {
  if (row.unsent || chain.some(error => isUnsent(error, at))) return 'not_applied'
  return outcomeOfStatus(at.status)
}

/** The outcome of a write whose answer broke off after the status: a 2xx confirms the write. */
function outcomeOfStatus(status: number | null): WriteOutcome {
  if (status === null) return 'unknown'
  if (isSuccessStatus(status)) return 'applied'
  return status >= 400 && status < 500 ? 'not_applied' : 'unknown'
}
