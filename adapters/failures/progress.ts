import type { WriteOutcome } from '../../src/model/errors.ts'
import type { Failure } from '../../src/model/failure.ts'
import type { Effect } from '../../src/model/route.ts'
import type { Verdict } from './verdict.ts'

/**
 * How far a request got, by evidence. Only this decides what became of a write; the words of a message
 * never do.
 *
 * - `not_started`: the program did not start.
 * - `refused_as_usage`: the program refused its arguments before any request.
 * - `nothing_sent`: the exchange broke before the first byte.
 * - `no_answer`: the request was sent, and no answer came.
 * - `status_seen`: a status arrived, and the rest did not.
 * - `answer_read`: the service's own answer is known.
 * - `reported`: the program sends one request, and reports how that one ended.
 * - `unseen`: the program may have sent several requests, and only its last words are known.
 */
export type Progress =
  | 'not_started'
  | 'refused_as_usage'
  | 'nothing_sent'
  | 'no_answer'
  | 'status_seen'
  | 'answer_read'
  | 'reported'
  | 'unseen'

/** The outcome of a write that got so far. `judged` is what the failure itself says of its request. */
export function outcomeAfter(progress: Progress, judged: WriteOutcome): WriteOutcome {
  switch (progress) {
    case 'not_started':
    case 'refused_as_usage':
    case 'nothing_sent':
      return 'not_applied'
    case 'no_answer':
      return 'unknown'
    case 'status_seen':
    case 'answer_read':
    case 'reported':
      return judged
    case 'unseen':
      // The failed request is not the only one, so a refusal of it proves nothing about the others.
      return judged === 'applied' ? 'applied' : 'unknown'
  }
}

/** The failure of a write with the outcome that the evidence allows. A read has none. */
export function withEvidence(failure: Failure, progress: Progress, effect: Effect): Failure {
  if (effect === 'read') return failure
  const writeOutcome = outcomeAfter(progress, failure.writeOutcome)
  return writeOutcome === failure.writeOutcome ? failure : { ...failure, writeOutcome }
}

/**
 * The verdict on a success that cannot be read. After a 2xx, a write is neither sent again nor tried on
 * another route.
 */
export function afterSuccess(verdict: Verdict, effect: Effect): Verdict {
  return effect === 'read' ? verdict : { ...verdict, retryable: false, fallback: false }
}
