/** Says under which rights and with which credential a recorded call is sent again: those of the page, not those of the first caller. */

/**
 * @typedef {Pick<import('../../../src/journal/row-schemas.ts').RequestDetail, 'capability_id' | 'caller' | 'effect' | 'options'>} Recorded
 */

/**
 * The question before a call runs again; null if nothing has to be asked.
 * @param {Recorded} request
 */
export function questionBefore({ capability_id, caller, effect, options }) {
  const parts = []
  if (options?.own_credential)
    parts.push(
      `${caller} made this call with a credential of its own, which the journal does not keep. It would now run with the gateway's credential.`,
    )
  if (effect !== 'read')
    parts.push(
      `${capability_id} changes something at the service. Make this change once more, with a new Idempotency-Key?`,
    )
  else if (parts.length > 0) parts.push('Run it?')
  return parts.length === 0 ? null : parts.join(' ')
}

/**
 * The differences to the recorded call that its result depends on; empty if there are none.
 * @param {Recorded} request
 * @param {string} caller of the page
 */
export function differencesBetween({ caller: first, options }, caller) {
  return [
    ...(options?.own_credential
      ? [`It had the gateway's credential, and not the own one of ${first}.`]
      : []),
    ...(caller === first ? [] : [`It had the rights of ${caller}, and not those of ${first}.`]),
  ].join(' ')
}
