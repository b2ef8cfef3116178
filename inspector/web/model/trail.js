/** The stops of a request in the list: the routes that it tried, and how else it came by its answer. */

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').RequestRow} RequestRow
 * @typedef {import('../../../src/journal/row-schemas.ts').TrailStep} TrailStep
 * @typedef {import('./form.js').Form} Form
 * @typedef {{ readonly step: TrailStep | null, readonly times: number, readonly form: Form | null, readonly text: string, readonly word: string }} Stop
 */

/**
 * The forms that the reason of a row tells.
 * @type {Readonly<Record<string, { form: Form, text: string, word: string }>>}
 */
const BY_REASON = {
  IDEMPOTENT_REPLAY: {
    form: 'replayed',
    text: 'repeated',
    word: 'the stored answer of the same Idempotency-Key',
  },
  COALESCED: {
    form: 'coalesced',
    text: 'shared',
    word: 'the answer of an identical read',
  },
  CACHE_HIT: { form: 'memory', text: 'memory', word: 'a kept answer' },
  RECOVERED: { form: 'recovered', text: 'found', word: 'a check found the write' },
}

/**
 * @param {Pick<RequestRow, 'reason' | 'borrowed' | 'trail'>} row
 * @returns {readonly Stop[]}
 */
export function stopsOf({ reason, borrowed, trail }) {
  const other = BY_REASON[reason ?? '']
  const end = other ? [{ step: null, times: 1, ...other }] : []
  return borrowed ? end : [...ownStops(trail, reason === 'REVALIDATED'), ...end]
}

/**
 * Merges repeated attempts, and drops routes that were skipped after the answer: they played no part in it.
 * @param {readonly TrailStep[]} trail
 * @param {boolean} isConfirmed whether the upstream answered that a kept answer still holds
 */
function ownStops(trail, isConfirmed) {
  /** @type {{ step: TrailStep, times: number, form: Form | null, text: string, word: string }[]} */
  const stops = []
  // Leave out the reads that verify a write: they are not routes of the request itself.
  const own = trail.filter(({ purpose }) => purpose === null)
  const answered = own.findLastIndex(({ status }) => status === 'success')
  for (const step of answered === -1 ? own : own.slice(0, answered + 1)) {
    const last = stops.at(-1)
    const again = last?.step.route === step.route && last.step.status === step.status
    const isAnswer = isConfirmed && step.status === 'success'
    const form = isAnswer ? 'revalidated' : null
    const word = isAnswer ? 'confirmed the kept answer' : wordOf(step)
    if (again) last.times++
    else stops.push({ step, times: 1, form, text: step.route, word })
  }
  return stops
}

/** @param {TrailStep} step */
function wordOf({ status, code, reason }) {
  if (status === 'success') return 'answered'
  return status === 'skipped' ? `skipped, ${reason}` : `failed, ${code}`
}
