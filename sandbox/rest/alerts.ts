import type { JsonObject } from '../json.ts'
import { requireUnarchived } from '../store/access.ts'
import { sortedBy } from '../store/order.ts'
import type { AnyAlert, Closing } from '../store/security-entities.ts'
import { optionalText } from './body.ts'
import { numberIn, type RestCall } from './call.ts'
import { choiceIn } from './choice.ts'
import { notFound, RestError } from './errors.ts'
import { accountJson, accountOrNull } from './json/account.ts'

/** The parts that the three kinds of security alerts share. */

interface Dated {
  readonly number: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** Newest first, unless the caller asks for another order. */
export function sortedAlerts<Alert extends Dated>(
  { query }: RestCall,
  alerts: readonly Alert[],
): Alert[] {
  const sort = choiceIn(query, 'Alert', 'sort', ['created', 'updated'])
  const direction = choiceIn(query, 'Alert', 'direction', ['desc', 'asc'])
  const key = (alert: Alert) => (sort === 'created' ? alert.createdAt : alert.updatedAt)
  return sortedBy(alerts, key, direction, ({ number }) => number)
}

/** Whether a value is among those of a comma-separated parameter. Without the parameter, all are. */
export function isAmong(wanted: string | undefined, value: string): boolean {
  return wanted === undefined || wanted.split(',').includes(value)
}

export function alertIn<Alert extends Dated>(
  { params }: RestCall,
  alerts: readonly Alert[],
): Alert {
  const alert = alerts.find(({ number }) => number === numberIn(params.alert))
  if (!alert) throw notFound()
  return alert
}

/** How a kind of alert names the members of a change, and the reasons that it takes. */
interface Closings {
  readonly closed: string
  readonly reason: string
  readonly comment: string
  readonly reasons: readonly string[]
}

export const DISMISSAL = {
  closed: 'dismissed',
  reason: 'dismissed_reason',
  comment: 'dismissed_comment',
} as const

export const RESOLUTION = {
  closed: 'resolved',
  reason: 'resolution',
  comment: 'resolution_comment',
} as const

/**
 * Closes or reopens an alert, as the body says.
 * @param fixed what GitHub answers to a change of an alert that is fixed
 */
export function changedAlert<Alert extends AnyAlert>(
  { body, store, viewer }: RestCall,
  alert: Alert,
  { fixed, ...closings }: Closings & { readonly fixed?: RestError },
): Alert {
  requireUnarchived(alert.repository)
  const { reason, comment } = wishIn(body, closings)
  if (fixed && alert.state === 'fixed') throw fixed
  if (reason === null) store.security.reopen(alert)
  else store.security.close(alert, viewer, reason, comment)
  return alert
}

interface Wish {
  readonly reason: string | null
  readonly comment: string | null
}

/** The new state in a body. A closed alert needs a reason, and an open one has none. */
function wishIn(body: JsonObject, names: Closings): Wish {
  const state = optionalText(body, 'state')
  const reason = optionalText(body, names.reason) ?? null
  const comment = optionalText(body, names.comment) ?? null
  if (state !== names.closed && state !== 'open') throw badWish(`Invalid state: ${state}`)
  if ((state === 'open') !== (reason === null)) throw badWish(`${names.reason} does not fit state`)
  if (reason !== null && !names.reasons.includes(reason)) throw badWish(`Invalid ${names.reason}`)
  return { reason, comment }
}

function badWish(message: string): RestError {
  return new RestError(422, message)
}

export function dismissalJson(closing: Closing | null, { origin }: RestCall) {
  return {
    dismissed_at: closing?.at ?? null,
    dismissed_by: accountOrNull(closing?.by, origin),
    dismissed_reason: closing?.reason ?? null,
    dismissed_comment: closing?.comment ?? null,
  }
}

export function resolutionJson(closing: Closing | null, { origin }: RestCall) {
  return {
    resolved_at: closing?.at ?? null,
    resolved_by: closing && accountJson(closing.by, origin),
    resolution: closing?.reason ?? null,
    resolution_comment: closing?.comment ?? null,
  }
}
