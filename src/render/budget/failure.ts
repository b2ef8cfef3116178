import { shorten } from '../../lib/text.ts'
import type { Answer, Envelope, EnvelopeError } from '../../model/envelope.ts'
import { describeFailure, failedAnswer, verifyCallOf } from '../../model/failed-envelope.ts'
import type { Subject } from '../../model/subject.ts'
import type { Drop } from './drop.ts'
import type { View } from './view.ts'

type Failure = Extract<Envelope, { ok: false }>

/** An error without what the journal keeps as well, its message cut to a length. */
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
 * As little as an error can be told with, its names cut to a length as well. The headers of the answer
 * still have the whole request id, and the journal has everything.
 */
export function bareFailure(view: View, longest: number, names: number): View {
  const lean = leanFailure(view, longest)
  const { error, meta } = lean.envelope as Failure
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

function droppedError(error: EnvelopeError, { meta, error: told }: Failure): Drop {
  const left = JSON.stringify(error).length - JSON.stringify(told).length
  const note = `In full: GET /v1/requests/${meta.request_id}.`
  return { path: 'error', kind: 'characters', count: Math.max(1, left), note }
}

/**
 * What is answered when even the smallest part of a good answer is over its budget. What the call did, it
 * did: a change stays applied, and the advice says so.
 */
export function tooLarge(
  { envelope }: Answer,
  { card, input }: Subject,
  budget: number,
  needed: number,
): Answer {
  const effect = card?.effect ?? null
  const done = effect === null || effect === 'read' ? '' : ' The change was made.'
  const error = describeFailure({
    code: 'TOO_LARGE',
    message: `token_budget is ${budget}, the least to tell takes ${needed}.${done} Raise it, or narrow with fields.`,
    source: 'caller',
    details: { fields: [{ path: 'token_budget', message: `needs about ${needed}` }] },
    fields: ['token_budget'],
    effect,
    writeOutcome: 'applied',
    verify: verifyCallOf(card, input),
  })
  return failedAnswer(error, envelope.meta)
}
