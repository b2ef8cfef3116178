import { shorten } from '../../lib/text.ts'
import type { Answer, Envelope, EnvelopeError } from '../../model/envelope.ts'
import { describeFailure, failedAnswer } from '../../model/failed-envelope.ts'
import { BUDGET_OPTION } from '../../model/over-budget.ts'
import { verifyCallOf } from '../../model/read-call.ts'
import type { Subject } from '../../model/subject.ts'
import { BUDGET_LIMITS } from './budget.ts'
import type { Drop } from './drop.ts'
import type { View } from './view.ts'

type Failure = Extract<Envelope, { ok: false }>

/** A failure without details, attempts and warnings, and with a shortened message. The journal keeps them all. */
export function leanFailure(view: View, longest: number): View {
  const { error, meta } = view.envelope as Failure
  const lean: Failure = {
    ok: false,
    data: null,
    error: { ...error, message: shorten(error.message, longest), details: {} },
    meta: { ...meta, attempts: [], warnings: [] },
  }
  const own = meta.capability_id === null ? [] : [droppedError(error, lean)]
  // The note about a success that does not fit names the budget that would do.
  const dropped = view.dropped.length > 0 ? view.dropped : own
  return { ...view, envelope: lean, dropped, truncated: true }
}

/**
 * The smallest form of a failure: its names are shortened too. The response headers still have the whole request id,
 * and the journal has everything.
 */
export function bareFailure(view: View, longest: number, names: number): View {
  const lean = leanFailure(view, longest)
  const { error } = lean.envelope as Failure
  const {
    correlation_id: _,
    approval_id: __,
    batch_step: ___,
    trace_id: ____,
    ...meta
  } = lean.envelope.meta
  const capability_id = meta.capability_id && shorten(meta.capability_id, names)
  const envelope: Failure = {
    ok: false,
    data: null,
    error: { ...error, next: { action: error.next.action } },
    meta: {
      ...meta,
      capability_id: capability_id || null,
      request_id: shorten(meta.request_id, names),
      reason: null,
    },
  }
  // The note has the request id, for which there may be no room.
  const hasRoom = names > 0 || view.dropped.length > 0
  const dropped = hasRoom
    ? lean.dropped
    : lean.dropped.map(drop => ({ ...drop, note: 'See the journal.' }))
  return { ...lean, envelope, dropped, bare: true }
}

function droppedError(error: EnvelopeError, { meta, error: kept }: Failure): Drop {
  const left = JSON.stringify(error).length - JSON.stringify(kept).length
  const note = `The journal has it in full, as request ${meta.request_id}.`
  return { path: 'error', kind: 'characters', count: Math.max(1, left), note }
}

/** The number comes first, because the message may be cut too. */
function cure(needed: number): string {
  return needed > BUDGET_LIMITS.max
    ? `The smallest answer takes a token_budget of ${needed}: select less with fields.`
    : `Set token_budget to ${needed}, or select less with fields.`
}

/**
 * The error for a successful answer of which not even the smallest view fits the budget. It says that a write was
 * applied, so that nobody sends it again.
 */
export function tooLarge(
  answer: Answer,
  { card, input, sentAfter }: Subject,
  budget: number,
  needed: number,
): Answer {
  const { meta } = answer.envelope
  const effect = card?.effect ?? null
  const done = effect === null || effect === 'read' ? '' : ' The change was made.'
  const error = describeFailure({
    code: 'TOO_LARGE',
    message: `${cure(needed)}${done} It was ${budget}.`,
    source: 'caller',
    details: { fields: [{ path: BUDGET_OPTION, message: `needs about ${needed}` }] },
    fields: [BUDGET_OPTION],
    effect,
    writeOutcome: 'applied',
    verify: verifyCallOf(card, input, sentAfter),
  })
  return { ...answer, ...failedAnswer(error, meta) }
}
