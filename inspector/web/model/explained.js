/** Says what would become of a recorded call if it came now, beside the routes of its plan. */
import { formatDuration } from '../lib/format.js'

/**
 * @typedef {import('../../../src/model/plan.ts').ExplainedPlan} ExplainedPlan
 * @typedef {import('../../../src/journal/row-schemas.ts').RequestDetail} RequestDetail
 */

/**
 * @param {Pick<ExplainedPlan, 'memory' | 'needs_approval' | 'follow_ups'>} plan
 * @param {RequestDetail['options']} options of the recorded call
 * @param {boolean} hasKey whether the page has a key of its own, whose rights count
 */
export function explanationOf({ memory, needs_approval, follow_ups = [] }, options, hasKey) {
  const means = [
    ...(hasKey ? ['with the key of this page'] : []),
    ...(options?.own_credential
      ? ["with the gateway's credential instead of the caller's own"]
      : []),
  ].join(' and ')
  return [
    `A call with this input would go this way now${means && `, ${means}`}.`,
    ...(needs_approval ? ['A person would have to approve it first.'] : []),
    ...partOfMemory(memory, options),
    ...follow_ups.map(describeStep),
  ]
}

/**
 * @param {ExplainedPlan['memory']} memory
 * @param {RequestDetail['options']} options
 */
function partOfMemory(memory, options) {
  const old = formatDuration(memory?.age_ms ?? 0)
  if (memory?.answers === 'yes')
    return [
      `Memory would answer instead, with an answer that is ${old} old: nothing would be sent.`,
    ]
  if (options?.only_if_cached)
    return [
      'It would be refused: its caller wants an answer from memory, and there is none that it may use.',
    ]
  if (memory?.answers === 'if_routes_fail')
    return [`If the routes fail, memory has an answer that is ${old} old.`]
  return memory ? ['Memory has no answer that it may use.'] : []
}

/** @param {NonNullable<ExplainedPlan['follow_ups']>[number]} step */
function describeStep({ purpose, subjects }) {
  const each = subjects === undefined ? '' : `, for each of: ${subjects.join(', ')}`
  return `After the change, the first route would also ${purpose}${each}.`
}
