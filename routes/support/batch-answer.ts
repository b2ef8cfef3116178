import type { BatchedAnswer } from '../../src/call/execute-batch.ts'
import { counted } from '../../src/lib/text.ts'
import type { Answer, Meta } from '../../src/model/envelope.ts'
import { GatewayError, type WriteOutcome } from '../../src/model/errors.ts'
import { describeFailure, failedAnswer } from '../../src/model/failed-envelope.ts'
import { BUDGET_LIMITS, type Budget, neededFor } from '../../src/render/budget/budget.ts'
import { fitTogether } from '../../src/render/budget/together.ts'
import { type Knowledge, limited, renderAnswer } from '../../src/render/render.ts'
import { describeBatch, type FittedCall } from './batch-calls.ts'
import type { BatchResults } from './batch-schema.ts'

/** How the answer to a batch is sent. */
export interface BatchDoor {
  readonly meta: Meta
  /** Budget of the whole answer; null for no limit. */
  readonly budget: Budget | null
  /** The text that is sent. */
  readonly write: (answer: Answer) => string
}

/** The answer to a batch: an envelope for each call, in order, and all of them within the budget. */
export function answerBatch(
  knowledge: Knowledge,
  calls: readonly FittedCall[],
  answers: readonly BatchedAnswer[],
  door: BatchDoor,
): Answer {
  const { budget } = door
  const parts = answers.map(({ answer, index }) => {
    const { presentation, fitting } = calls[index] as FittedCall
    return (most: number | null) =>
      most === null
        ? fitting.render(answer)
        : renderAnswer(knowledge, answer, limited(presentation, most))
  })
  const describe = (rendered: Parameters<typeof describeBatch>[2]) =>
    describeBatch(calls, answers, rendered)
  if (budget === null) return succeed(describe(parts.map(write => write(null))), door)
  const write = (rendered: Parameters<typeof describeBatch>[2]) =>
    door.write(succeed(describe(rendered), door))
  const fitted = fitTogether({ parts, write }, budget)
  if ('parts' in fitted) return succeed(describe(fitted.parts), door)
  const whole = describe(parts.map(one => one(null)))
  return tooLarge(knowledge, { calls, answers, whole }, { ...door, budget }, fitted.needed)
}

function succeed(data: BatchResults, { meta, budget }: BatchDoor): Answer {
  const warnings = [...meta.warnings, ...(budget?.warnings ?? [])]
  return { envelope: { ok: true, data, error: null, meta: { ...meta, warnings } }, status: 200 }
}

interface Batch {
  readonly calls: readonly FittedCall[]
  readonly answers: readonly BatchedAnswer[]
  readonly whole: BatchResults
}

/** Says what was done: the calls are made, and their answers are lost to the caller. */
function tooLarge(
  knowledge: Knowledge,
  batch: Batch,
  { meta, budget }: BatchDoor & { readonly budget: Budget },
  needed: number,
): Answer {
  const { succeeded, failed } = batch.whole
  const outcome = outcomeOf(knowledge, batch)
  const done = outcome === null || outcome === 'not_applied' ? '' : ' Changes were made.'
  const message = `${cure(needed)} ${counted(succeeded, 'call')} succeeded, ${failed} failed.${done} It was ${budget.tokens}.`
  const error = describeFailure({
    code: 'TOO_LARGE',
    message,
    source: 'caller',
    details: {
      fields: [{ path: 'token_budget', message: `needs ${needed}` }],
      succeeded,
      failed,
      ...(failed === 0 ? {} : { failures: failuresOf(batch.whole) }),
    },
    fields: ['token_budget'],
    effect: outcome === null ? 'read' : 'write',
    writeOutcome: outcome,
  })
  return failedAnswer(error, { ...meta, warnings: [...meta.warnings, ...budget.warnings] })
}

/** The caller cannot see them in the answers, which do not fit. */
function failuresOf({ results }: BatchResults) {
  return results
    .filter(({ ok }) => !ok)
    .slice(0, MOST_FAILURES)
    .map(({ id, item, request_id }) => ({
      id,
      ...(item === undefined ? {} : { item }),
      request_id,
    }))
}

const MOST_FAILURES = 10

function cure(needed: number): string {
  return needed > BUDGET_LIMITS.max
    ? `The smallest answer takes a token_budget of ${needed}, and ${BUDGET_LIMITS.max} is the most: make fewer calls, or select less with fields.`
    : `Set token_budget to ${needed}, make fewer calls, or select less with fields.`
}

/** The worst outcome of the changes in the batch; null if it made none. */
function outcomeOf({ catalog }: Knowledge, { calls, answers }: Batch): WriteOutcome | null {
  const outcomes = answers.flatMap(({ index, answer: { envelope } }) => {
    const effect = catalog.get(calls[index]?.request.capability ?? '')?.effect ?? 'read'
    if (effect === 'read') return []
    return envelope.ok ? ['applied' as const] : (envelope.error.write_outcome ?? [])
  })
  const order = ['unknown', 'applied', 'not_applied'] as const
  return order.find(outcome => outcomes.includes(outcome)) ?? null
}

const SOME_ID = '01M8F0RT3ND3ADC0FFEE1NAB1G'
/** Tokens for the data of each call. */
const ROOM_FOR_DATA = 200
/** A slow service gives longer numbers, and the number that would do has to do then too. */
const LONG_MS = 23_456.7

/** The answer of a small call: its envelope says how much a dialect needs around the data. */
function smallAnswer({ id, request: { capability } }: FittedCall): Answer {
  const slow = { started_ms: LONG_MS, duration_ms: LONG_MS } as const
  const attempt = { route: 'rest', status: 'success', ...slow } as const
  const meta: Meta = {
    capability_id: capability,
    request_id: SOME_ID,
    batch_id: SOME_ID,
    batch_step: id ?? 'calls[0]',
    route_used: 'rest',
    reason: 'CARD_PREFERRED',
    attempts: [{ ...attempt, upstream_status: 200, upstream_request_id: SOME_ID }],
    duration_ms: LONG_MS,
    warnings: [],
  }
  return { envelope: { ok: true, data: {}, error: null, meta }, status: 200 }
}

/**
 * Refuses a budget that cannot hold an envelope for each call, before anything is sent: nobody could learn what came of
 * the changes.
 * @param ending the last sentence of the message
 * @throws {GatewayError} VALIDATION, with the number that would do
 */
export function requireRoom(
  knowledge: Knowledge,
  calls: readonly FittedCall[],
  door: BatchDoor,
  ending = 'Nothing was sent.',
): void {
  const { budget } = door
  if (budget === null) return
  const answers = calls.map((call, index) => ({ index, item: null, answer: smallAnswer(call) }))
  const slow = { ...door, meta: { ...door.meta, duration_ms: LONG_MS }, budget: null }
  const small = door.write(answerBatch(knowledge, calls, answers, slow))
  const count = calls.length
  const needed = neededFor(small) + count * ROOM_FOR_DATA
  if (needed <= budget.tokens) return
  const given = counted(count, 'call')
  const message =
    needed > BUDGET_LIMITS.max
      ? `is too small for ${given}: make fewer, or leave it out`
      : `is too small for ${given}: ${needed} would do`
  throw new GatewayError('VALIDATION', `"token_budget" ${message}. ${ending}`, {
    source: 'caller',
    details: { fields: [{ path: 'token_budget', message }] },
  })
}
