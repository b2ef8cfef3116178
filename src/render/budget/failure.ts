import { shorten } from '../../lib/text.ts'
import type { Answer, Envelope, EnvelopeError } from '../../model/envelope.ts'
import { describeFailure, failedAnswer } from '../../model/failed-envelope.ts'
import { verifyCallOf } from '../../model/read-call.ts'
import type { Subject } from '../../model/subject.ts'
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
  const dropped = meta.capability_id === null ? [] : [droppedError(error, lean)]
  return { ...view, envelope: lean, dropped, truncated: true }
}

/**
 * The smallest form of a failure: its names are shortened too. The response headers still have the whole request id,
 * and the journal has everything.
 */
export function bareFailure(view: View, longest: number, names: number): View {
  const lean = leanFailure(view, longest)
  const { error } = lean.envelope as Failure
  const { correlation_id: _, ...meta } = lean.envelope.meta
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
  return { ...lean, envelope, dropped: [], bare: true }
}

function droppedError(error: EnvelopeError, { meta, error: kept }: Failure): Drop {
  const left = JSON.stringify(error).length - JSON.stringify(kept).length
  const note = `The journal has it in full, as request ${meta.request_id}.`
  return { path: 'error', kind: 'characters', count: Math.max(1, left), note }
}

/**
 * The error for a successful answer of which not even the smallest view fits the budget. It says that a write was
 * applied, so that nobody sends it again.
 */
export function tooLarge(
  { envelope }: Answer,
  { card, input, sentAfter }: Subject,
  budget: number,
  needed: number,
): Answer {
  const effect = card?.effect ?? null
  const done = effect === null || effect === 'read' ? '' : ' The change was made.'
  const error = describeFailure({
    code: 'TOO_LARGE',
    message: `token_budget is ${budget}, but the smallest answer takes ${needed}.${done} Raise it, or select less with fields.`,
    source: 'caller',
    details: { fields: [{ path: 'token_budget', message: `needs about ${needed}` }] },
    fields: ['token_budget'],
    effect,
    writeOutcome: 'applied',
    verify: verifyCallOf(card, input, sentAfter),
  })
  return failedAnswer(error, envelope.meta)
}
